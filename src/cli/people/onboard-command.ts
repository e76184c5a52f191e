import type { Command } from 'commander';
import { hosts } from '../../connect/host-table.ts';
import { onboardLine } from '../../connect/onboard-lines.ts';
import { badArgument } from '../../state/kernel/refusal.ts';
import { refusedAnswer } from '../../tools/call-tool.ts';
import type { AddAction } from '../add-action.ts';
import { textFlag } from '../owner-act.ts';

/** `loopx agent-onboard --host X`: stdout is the line and nothing else, so that it can be copied or piped. */
export function addOnboardCommand(program: Command, addAction: AddAction): void {
  const names = hosts.map(({ name }) => name).join(', ');
  const command = program
    .command('agent-onboard')
    .summary("The line that sets a host's own loop going")
    .requiredOption('--host <name>', `of ${names}`);
  addAction(command, async (call, flags) => {
    const host = textFlag(flags.host) ?? '';
    const found = onboardLine(host);
    if (found === undefined) {
      call.print(refusedAnswer(badArgument('host', `\`${host}\` is no host that is known: ${names}.`).refusal));
      return;
    }
    call.line(call.common.json ? JSON.stringify({ ok: true, ...found }) : found.line);
    if (!call.common.json) call.complain(found.where);
  });
}
