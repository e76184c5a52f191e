import * as z from 'zod';
import { actOf, defineTool } from './define-tool.ts';
import * as f from './fields.ts';
import { goalScope, quotaPolicy, todoSpecsBriefly } from './shapes.ts';

/** Starting again with the same objective answers the goal that is there. */
export const goalStart = defineTool({
  name: 'goal_start',
  title: 'Start a goal',
  kind: 'repeatable-write',
  description:
    'Starts a goal: objective, acceptance criteria, first todos (fields of todo_add). After that only the owner changes it. The same objective again answers the same goal.',
  input: z.object({
    goal: f.slug().optional(),
    title: f.title('CSV import').optional(),
    objective: f.text('Import CSV files of up to 1 GB'),
    acceptance: f.texts('A 1 GB file imports in a minute').optional(),
    nonGoals: f.texts('Excel files').optional(),
    scope: goalScope().optional(),
    quota: quotaPolicy()
      .meta({ shown: ['windowH', 'compute', 'allowedSlots', 'tokens', 'usd'] })
      .optional(),
    todos: todoSpecsBriefly().optional(),
    ...f.writeFields,
  }),
  run: (plane, args, caller) =>
    plane.execute({ type: 'goal.start', ...actOf(args) }, { ...caller, agent: args.agent }, args.idempotencyKey),
});
