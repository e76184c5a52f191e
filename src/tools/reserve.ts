import * as z from 'zod';
import { limits } from '../state/kernel/limits.ts';
import { actOf, defineTool } from './define-tool.ts';
import * as f from './fields.ts';

export const reserve = defineTool({
  name: 'reserve',
  title: 'Reserve resources',
  kind: 'repeatable-write',
  description:
    'Reserves named things under a lease (path:src/**, port:8080, deploy:prod), exclusive by default, or gives them back with release: true. Claiming a todo reserves its scope by itself.',
  input: z.object({
    resources: f.words('port:8080'),
    mode: f.oneOf('exclusive', 'shared').optional(),
    ttlS: f.seconds(limits.ttlSMin, limits.ttlSMax, 1_800).optional(),
    release: f.flag().optional(),
    goal: f.slug().optional(),
    ...f.writeFields,
  }),
  run: (plane, args, caller) =>
    plane.execute({ type: 'reserve', ...actOf(args) }, { ...caller, agent: args.agent }, args.idempotencyKey),
});
