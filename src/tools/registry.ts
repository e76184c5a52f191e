import { agentJoin } from './agent-join.ts';
import { audit } from './audit.ts';
import type { Tool } from './define-tool.ts';
import { evidenceWrite } from './evidence-write.ts';
import { gateAsk } from './gate-ask.ts';
import { goalStart } from './goal-start.ts';
import { goalStatus } from './goal-status.ts';
import { handoff } from './handoff.ts';
import { monitorReport } from './monitor-report.ts';
import { quotaShouldRun } from './quota-should-run.ts';
import { quotaSpend } from './quota-spend.ts';
import { reserve } from './reserve.ts';
import { reviewPacket } from './review-packet.ts';
import { todoAdd } from './todo-add.ts';
import { todoClaim } from './todo-claim.ts';
import { todoUpdate } from './todo-update.ts';
import { writeback } from './writeback.ts';

/** Every operation, in the order hosts list them. The list is the same for the life of a process. */
export const tools: readonly Tool[] = [
  goalStart,
  goalStatus,
  agentJoin,
  quotaShouldRun,
  todoAdd,
  todoClaim,
  todoUpdate,
  gateAsk,
  evidenceWrite,
  writeback,
  quotaSpend,
  handoff,
  monitorReport,
  reserve,
  reviewPacket,
  audit,
];

const byName = new Map(tools.map((tool) => [tool.name, tool]));

export function toolNamed(name: string): Tool | undefined {
  return byName.get(name);
}
