import * as z from 'zod';
import { limits } from '../state/kernel/limits.ts';
import { actOf, defineTool } from './define-tool.ts';
import * as f from './fields.ts';

export const todoClaim = defineTool({
  name: 'todo_claim',
  title: 'Claim a todo',
  kind: 'write',
  description:
    'Takes a todo under a lease, or without todo the best one runnable for you. Answers claim.token; pass it with later writes. ttlS 1 to 86400 (1800); each of your writes renews. Refused: who holds it and what else there is. challenge: true asks an idle holder to speak up.',
  input: z.object({
    todo: f.id('T3').optional(),
    goal: f.slug().optional(),
    ttlS: f.seconds(limits.ttlSMin, limits.ttlSMax, 1_800).optional(),
    challenge: f.flag().optional(),
    ...f.writeFields,
  }),
  run: (plane, args, caller) =>
    plane.execute({ type: 'todo.claim', ...actOf(args) }, { ...caller, agent: args.agent }, args.idempotencyKey),
});
