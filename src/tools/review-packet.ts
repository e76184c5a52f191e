import * as z from 'zod';
import { defineTool } from './define-tool.ts';
import * as f from './fields.ts';

export const reviewPacket = defineTool({
  name: 'review_packet',
  title: 'Show a review packet',
  kind: 'read',
  description:
    'What a reviewer needs to decide on a gate, todo or goal, in 4 KB: the question, what changed, evidence with grade and freshness, open gates, risks.',
  input: z.object({
    gate: f.id('G1').optional(),
    todo: f.id('T3').optional(),
    goal: f.slug().optional(),
  }),
  run: (plane, args, caller, signal) => plane.query({ type: 'review.packet', ...args }, caller, signal),
});
