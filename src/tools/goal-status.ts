import * as z from 'zod';
import { defineTool } from './define-tool.ts';
import * as f from './fields.ts';

export const goalStatus = defineTool({
  name: 'goal_status',
  title: 'Show a goal',
  kind: 'read',
  description:
    'Where a goal stands: summary (default) or one view in pages; with id (T3, G1, E2) that one thing whole. state filters; kind, agent, from, to (versions or times) are for view history.',
  input: z.object({
    goal: f.slug().optional(),
    view: f.oneOf('summary', 'todos', 'gates', 'evidence', 'agents', 'history', 'quota', 'reservations').optional(),
    id: f.id('T3').optional(),
    state: f.word('open').optional(),
    limit: f.whole(1, 1_000, 20).optional(),
    cursor: f.word('T20').optional(),
    kind: f.word('gate.answered').optional(),
    agent: f.agentId().optional(),
    from: f.word('12').optional(),
    to: f.word('40').optional(),
  }),
  run: (plane, args, caller, signal) => plane.query({ type: 'goal.status', ...args }, caller, signal),
});
