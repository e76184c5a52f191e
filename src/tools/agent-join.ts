import * as z from 'zod';
import { actOf, defineTool } from './define-tool.ts';
import * as f from './fields.ts';

export const agentJoin = defineTool({
  name: 'agent_join',
  title: 'Join as an agent',
  kind: 'repeatable-write',
  description:
    'Names you here, with your capabilities; answers your peers. Optional: the first write joins by itself. Several agents on one connection each join, then pass agent with every write.',
  input: z.object({
    agent: f.agentId(),
    capabilities: f.words('browser').optional(),
    role: f.title('tester').optional(),
    note: f.text('On the build machine').optional(),
    idempotencyKey: f.writeFields.idempotencyKey,
  }),
  run: (plane, args, caller) =>
    plane.execute({ type: 'agent.join', ...actOf(args) }, { ...caller, agent: args.agent }, args.idempotencyKey),
});
