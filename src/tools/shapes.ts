import * as z from 'zod';
import { limits } from '../state/kernel/limits.ts';
import type { Amendment, QuotaPolicy, ResumeWhen } from '../state/kernel/model.ts';
import * as f from './fields.ts';

/**
 * Objects that several tools take. Three are given the kernel's own types: zod says `x?: T | undefined` of an optional
 * field, while `parseInput` leaves absent fields out and the refinement of `resumeWhen` leaves exactly one.
 */

const scope = () => z.object({ paths: f.globs().optional(), resources: f.words('account:shop-1').optional() });

export const goalScope = () =>
  z.object({
    paths: f.globs().optional(),
    denyPaths: f.globs().optional(),
    resources: f.words('account:shop-1').optional(),
  });

export const quotaPolicy = (): z.ZodType<Partial<QuotaPolicy>> =>
  exactly(
    z.object({
      windowH: f.amount(24).optional(),
      slotMinutes: f.amount(1).optional(),
      compute: z
        .number()
        .min(0)
        .max(1)
        .meta({ examples: [1] })
        .optional(),
      allowedSlots: f.amount(60).optional(),
      tokens: f.amount(500_000).optional(),
      usd: f.amount(20).optional(),
      turns: f.amount(100).optional(),
      noProgressLimit: f.whole(1, 1_000, 3).optional(),
    }),
  );

export const resumeWhen = (): z.ZodType<ResumeWhen> =>
  exactly(
    z
      .object({
        todoDone: f.id('T1').optional(),
        gateAnswered: f.id('G1').optional(),
        at: f.instant().optional(),
        manual: z.boolean().optional(),
      })
      .superRefine((value, context) => {
        const named = Object.values(value).filter((part) => part !== undefined);
        if (named.length !== 1 || value.manual === false) {
          context.addIssue({
            code: 'custom',
            message: 'must name exactly one of todoDone, gateAnswered, at, manual: true',
          });
        }
      })
      .meta({ examples: [{ todoDone: 'T1' }] }),
  );

/** The fields of a todo that can be set when it is added and changed later. */
export const todoFields = () => ({
  title: f.title('Write the importer'),
  detail: f.text('Reads files of up to 1 GB.').optional(),
  kind: f.oneOf('work', 'monitor', 'review').optional(),
  priority: f.oneOf('P0', 'P1', 'P2', 'P3').optional(),
  after: f.ids('T1').optional(),
  scope: scope().optional(),
  capabilities: f.words('browser').optional(),
  excludeAgents: f.words('bob').optional(),
  acceptance: f.texts('Tests pass').optional(),
  covers: f.ids('A1').optional(),
  resumeWhen: resumeWhen().optional(),
  dueAt: f.instant().optional(),
  everyS: f.seconds(1, 31_536_000, 600).optional(),
  parent: f.id('T1').optional(),
});

const todoSpec = () => z.object({ ...todoFields(), ref: f.id('importer').optional() });
export const todoSpecs = () => z.array(todoSpec()).max(limits.todosPerCall);

/** The same specs where tools/list shows only the fields used most: the whole list has to stay small. */
export const todoSpecsBriefly = () =>
  z
    .array(todoSpec().meta({ shown: ['title', 'detail', 'priority', 'after', 'acceptance', 'covers', 'ref'] }))
    .max(limits.todosPerCall);

export const evidenceFields = () => ({
  kind: f.oneOf('test', 'command', 'diff', 'artifact', 'metric', 'observation', 'decision', 'blocker'),
  summary: f.text('All 42 tests pass'),
  result: f.oneOf('pass', 'fail', 'inconclusive', 'info'),
  criteria: f.ids('A1').optional(),
  files: z
    .array(
      z
        .string()
        .max(limits.textChars)
        .meta({ examples: ['src/import.ts'] }),
    )
    .max(limits.listItems)
    .optional(),
  globs: f.globs().optional(),
  commit: f.word('4d38674').optional(),
  command: z
    .object({
      line: f.text('npm test'),
      exitCode: z
        .number()
        .int()
        .meta({ examples: [0] })
        .optional(),
      outputSha256: f.word('9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08').optional(),
    })
    .optional(),
  url: f.text('https://example.org/build/17').optional(),
  metrics: z
    .record(z.string(), z.number())
    .meta({ examples: [{ p95Ms: 120 }] })
    .optional(),
  validForS: f.seconds(1, 31_536_000, 86_400).optional(),
  supersedes: f.id('E1').optional(),
  confirms: f.id('E1').optional(),
});

export const handoffFields = () => ({
  to: z
    .object({ agent: f.agentId().optional(), capability: f.word('browser').optional(), any: z.boolean().optional() })
    .meta({ examples: [{ any: true }] }),
  summary: f.text('The parser is done, the tests are not.'),
  done: f.texts('parser').optional(),
  pending: f.texts('tests').optional(),
  files: f.texts('src/parse.ts').optional(),
  risks: f.texts('Quoted newlines are untested').optional(),
  questions: f.texts('Which encodings?').optional(),
  acceptWithinS: f.seconds(1, 31_536_000, 3_600).optional(),
});

export const spendFields = () => ({
  slots: f.amount(1).optional(),
  tokens: f.amount(12_000).optional(),
  usd: f.amount(0.25).optional(),
});

export const amendment = (): z.ZodType<Amendment> =>
  exactly(
    z.object({
      title: f.title('CSV and TSV import').optional(),
      objective: f.text('Import CSV and TSV').optional(),
      addAcceptance: f.texts('TSV files import').optional(),
      dropAcceptance: f.ids('A1').optional(),
      nonGoals: f.texts('Excel files').optional(),
      scope: goalScope().optional(),
      quota: quotaPolicy()
        .meta({ shown: ['compute', 'allowedSlots', 'tokens', 'usd'] })
        .optional(),
    }),
  );

function exactly<Out>(schema: z.ZodType): z.ZodType<Out> {
  return schema as z.ZodType<Out>;
}
