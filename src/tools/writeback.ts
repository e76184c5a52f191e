import * as z from 'zod';
import { limits } from '../state/kernel/limits.ts';
import { actOf, defineTool } from './define-tool.ts';
import * as f from './fields.ts';
import { evidenceFields, handoffFields, resumeWhen, spendFields, todoSpecsBriefly } from './shapes.ts';

export const writeback = defineTool({
  name: 'writeback',
  title: 'Close a turn',
  kind: 'write',
  description:
    "Closes a turn in one commit, all or nothing: outcome, summary, evidence (fields of evidence_write), the todo's new state, successors (todo_add), handoff, spend. Needs a todo unless outcome is gap, quiet or replan.",
  input: z.object({
    goal: f.slug().optional(),
    todo: f.id('T3').optional(),
    token: f.whole(1, Number.MAX_SAFE_INTEGER, 17).optional(),
    outcome: f.oneOf('primary', 'progress', 'surface', 'gap', 'blocked', 'quiet', 'replan'),
    summary: f.text('The importer reads quoted fields'),
    nextAction: f.text('Add the encoding tests').optional(),
    evidence: z
      .array(z.object(evidenceFields()).meta({ shown: ['kind', 'summary', 'result', 'criteria', 'files'] }))
      .max(limits.listItems)
      .optional(),
    todoState: f.oneOf('open', 'done', 'blocked', 'deferred', 'dropped').optional(),
    reason: f.text('The API is down').optional(),
    resumeWhen: resumeWhen()
      .meta({ shown: ['todoDone', 'gateAnswered', 'at'] })
      .optional(),
    successors: todoSpecsBriefly().optional(),
    handoff: z
      .object(handoffFields())
      .meta({ shown: ['to', 'summary', 'pending'] })
      .optional(),
    spend: z.object(spendFields()).optional(),
    ...f.writeFields,
  }),
  run: (plane, args, caller) =>
    plane.execute({ type: 'writeback', ...actOf(args) }, { ...caller, agent: args.agent }, args.idempotencyKey),
});
