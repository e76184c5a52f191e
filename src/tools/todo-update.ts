import * as z from 'zod';
import { actOf, defineTool } from './define-tool.ts';
import * as f from './fields.ts';
import { todoFields } from './shapes.ts';

export const todoUpdate = defineTool({
  name: 'todo_update',
  title: 'Change a todo',
  kind: 'write',
  description:
    'Changes a todo: state (open releases it; done needs fresh passing evidence for each criterion; blocked, deferred and dropped need reason), note, renew: true for the lease, or any field of todo_add.',
  input: z
    .object({
      todo: f.id('T3'),
      token: f.whole(1, Number.MAX_SAFE_INTEGER, 17).optional(),
      state: f.oneOf('open', 'done', 'blocked', 'deferred', 'dropped').optional(),
      note: f.text('The fixture is in test/data').optional(),
      reason: f.text('The API is down').optional(),
      renew: f.flag().optional(),
      ...todoFields(),
      title: f.title('Write the importer').optional(),
      ...f.writeFields,
    })
    .meta({
      shown: [
        'todo',
        'token',
        'state',
        'note',
        'reason',
        'renew',
        'title',
        'detail',
        'priority',
        'after',
        'scope',
        'capabilities',
        'acceptance',
        'resumeWhen',
        'agent',
        'idempotencyKey',
      ],
    }),
  run: (plane, { title, ...args }, caller) =>
    plane.execute(
      { type: 'todo.update', ...actOf(args), ...(title === undefined ? {} : { title }) },
      { ...caller, agent: args.agent },
      args.idempotencyKey,
    ),
});
