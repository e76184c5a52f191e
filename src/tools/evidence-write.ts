import * as z from 'zod';
import { actOf, defineTool } from './define-tool.ts';
import * as f from './fields.ts';
import { evidenceFields } from './shapes.ts';

export const evidenceWrite = defineTool({
  name: 'evidence_write',
  title: 'Record evidence',
  kind: 'write',
  description:
    'Records what was seen, for a todo or the goal. criteria: the ids (A1) it speaks for. The server hashes files, globs and commit (grade pinned); it goes stale when they change. metrics {name: number}. supersedes, confirms: evidence ids. No secrets.',
  input: z.object({
    goal: f.slug().optional(),
    todo: f.id('T3').optional(),
    ...evidenceFields(),
    ...f.writeFields,
  }),
  run: (plane, args, caller) =>
    plane.execute({ type: 'evidence.write', ...actOf(args) }, { ...caller, agent: args.agent }, args.idempotencyKey),
});
