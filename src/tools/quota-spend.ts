import * as z from 'zod';
import { actOf, defineTool } from './define-tool.ts';
import * as f from './fields.ts';
import { spendFields } from './shapes.ts';

export const quotaSpend = defineTool({
  name: 'quota_spend',
  title: 'Spend quota',
  kind: 'write',
  description: "Pays for a turn after its writeback, once for each; writeback's own spend does the same.",
  input: z.object({
    goal: f.slug().optional(),
    ...spendFields(),
    todo: f.id('T3').optional(),
    reason: f.text('Paid late for the last turn').optional(),
    ...f.writeFields,
  }),
  run: (plane, args, caller) =>
    plane.execute({ type: 'quota.spend', ...actOf(args) }, { ...caller, agent: args.agent }, args.idempotencyKey),
});
