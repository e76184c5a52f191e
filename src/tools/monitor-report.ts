import * as z from 'zod';
import { actOf, defineTool } from './define-tool.ts';
import * as f from './fields.ts';

export const monitorReport = defineTool({
  name: 'monitor_report',
  title: 'Report on a monitor',
  kind: 'write',
  description:
    'Reports on a monitor you claimed, and releases it. changed: true needs an observation; unchanged costs nothing and widens the interval.',
  input: z.object({
    todo: f.id('T3'),
    token: f.whole(1, Number.MAX_SAFE_INTEGER, 17).optional(),
    changed: f.flag(),
    observation: f.text('The build is red').optional(),
    nextDueS: f.seconds(1, 31_536_000, 600).optional(),
    ...f.writeFields,
  }),
  run: (plane, args, caller) =>
    plane.execute({ type: 'monitor.report', ...actOf(args) }, { ...caller, agent: args.agent }, args.idempotencyKey),
});
