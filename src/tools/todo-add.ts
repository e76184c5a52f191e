import * as z from 'zod';
import { actOf, defineTool } from './define-tool.ts';
import * as f from './fields.ts';
import { todoSpecs } from './shapes.ts';

export const todoAdd = defineTool({
  name: 'todo_add',
  title: 'Add todos',
  kind: 'write',
  description:
    'Adds 1 to 50 todos, all or none. after: todos to be done first (ids, or a ref of this call). scope: globs and resources it touches. covers: goal criteria (A1) it meets. acceptance: its own criteria. Monitors need everyS. resumeWhen takes one of its fields.',
  input: z.object({
    goal: f.slug().optional(),
    todos: todoSpecs().min(1),
    ...f.writeFields,
  }),
  run: (plane, args, caller) =>
    plane.execute({ type: 'todo.add', ...actOf(args) }, { ...caller, agent: args.agent }, args.idempotencyKey),
});
