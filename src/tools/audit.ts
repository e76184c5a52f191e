import * as z from 'zod';
import { defineTool } from './define-tool.ts';
import * as f from './fields.ts';

export const audit = defineTool({
  name: 'audit',
  title: 'Audit the store',
  kind: 'read',
  description:
    'Derives the facts again from the log by other code and names each difference from what is shown. deep: true also asks for each thing alone and hashes pinned files again.',
  input: z.object({
    goal: f.slug().optional(),
    deep: f.flag().optional(),
  }),
  run: (plane, args, caller, signal) => plane.query({ type: 'audit', ...args }, caller, signal),
});
