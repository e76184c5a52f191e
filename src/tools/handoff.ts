import * as z from 'zod';
import { actOf, defineTool } from './define-tool.ts';
import * as f from './fields.ts';
import { handoffFields } from './shapes.ts';

export const handoff = defineTool({
  name: 'handoff',
  title: 'Hand a todo over',
  kind: 'write',
  description:
    'Releases your claim and offers the todo to another: to {agent}, {capability} or {any: true}. They accept by claiming; after acceptWithinS (3600) it is open to all.',
  input: z.object({
    todo: f.id('T3'),
    token: f.whole(1, Number.MAX_SAFE_INTEGER, 17).optional(),
    ...handoffFields(),
    ...f.writeFields,
  }),
  run: (plane, args, caller) =>
    plane.execute({ type: 'handoff', ...actOf(args) }, { ...caller, agent: args.agent }, args.idempotencyKey),
});
