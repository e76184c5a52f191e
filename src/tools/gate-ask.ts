import * as z from 'zod';
import { limits } from '../state/kernel/limits.ts';
import { actOf, defineTool } from './define-tool.ts';
import * as f from './fields.ts';
import { amendment } from './shapes.ts';

export const gateAsk = defineTool({
  name: 'gate_ask',
  title: 'Ask the owner',
  kind: 'write',
  description:
    'Asks the human owner one exact question (to 600 characters). What it blocks waits, other work goes on. Only the owner answers, never a tool: tell them howToAnswer and go on with quota_should_run. An approval has an approve and a deny option. kind amendment changes the goal (fields of goal_start). askNow: true shows a form at once (45 s).',
  input: z.object({
    question: f.question('Publish version 2.0 to the registry now?'),
    options: z
      .array(
        z.object({
          key: f.key('yes'),
          label: f.title('Publish'),
          effect: f.oneOf('approve', 'deny', 'choose'),
        }),
      )
      .max(limits.listItems)
      .optional(),
    kind: f.oneOf('decision', 'approval', 'information', 'amendment', 'completion').optional(),
    blocks: z.object({ todos: f.ids('T1').optional(), goal: f.flag().optional() }).optional(),
    protects: z
      .object({
        paths: f.globs().optional(),
        resources: f.words('deploy:prod').optional(),
        commands: f.texts('npm publish').optional(),
      })
      .optional(),
    context: f.text('All tests pass').optional(),
    recommend: f.key('yes').optional(),
    evidence: f.ids('E1').optional(),
    amendment: amendment()
      .meta({ shown: ['objective', 'addAcceptance', 'dropAcceptance', 'quota'] })
      .optional(),
    minGrade: f.oneOf('prompt', 'confirmed', 'signed').optional(),
    askNow: f.flag().optional(),
    goal: f.slug().optional(),
    ...f.writeFields,
  }),
  run: (plane, { askNow, ...args }, caller) =>
    plane.execute({ type: 'gate.ask', ...actOf(args) }, { ...caller, agent: args.agent }, args.idempotencyKey),
});
