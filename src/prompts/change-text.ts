import * as z from 'zod';
import type { Amendment } from '../state/kernel/model.ts';
import { readTolerantly } from '../tools/read-tolerantly.ts';
import { amendment } from '../tools/shapes.ts';
import type { JsonSchema } from '../tools/wire-schema.ts';

const schema = amendment();
const jsonSchema = z.toJSONSchema(schema, { io: 'input' }) as JsonSchema;
const quotaNames = Object.keys(jsonSchema.properties?.quota?.properties ?? {});

/** The word that may begin a line of a change, and the field that the rest of the line is for. */
const lineWords: { readonly [word: string]: string } = {
  objective: 'objective',
  title: 'title',
  add: 'addAcceptance',
  criterion: 'addAcceptance',
  acceptance: 'addAcceptance',
  drop: 'dropAcceptance',
  nongoal: 'nonGoals',
  nongoals: 'nonGoals',
  paths: 'paths',
  deny: 'denyPaths',
  denypaths: 'denyPaths',
  resources: 'resources',
  ...Object.fromEntries(quotaNames.map((name) => [name.toLowerCase(), name])),
};

/**
 * The exact change that the owner's words ask for: an amendment as JSON, or lines such as `objective: …`, `add: …`,
 * `drop: A2`, `paths: …`, `usd: 20`; plain words are the new objective. A text says why where it is none of these.
 */
export function changeOf(words: string): Amendment | string {
  const drafted = words.trim().startsWith('{') ? words : amendmentOf(fieldsOf(words));
  const result = schema.safeParse(readTolerantly(jsonSchema, drafted));
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  return `The change cannot be read (${issue?.path.join('.') || 'as a whole'}: ${issue?.message}).`;
}

/** The rests of the lines by field; lines without a known first word are the objective. */
function fieldsOf(words: string): Map<string, string[]> {
  const fields = new Map<string, string[]>();
  for (const line of words.split('\n').map((part) => part.trim())) {
    if (line === '') continue;
    const [, word, rest] = /^([a-z-]+)\s*[:=]\s*(.+)$/i.exec(line) ?? /^(drop)\s+(a\d.*)$/i.exec(line) ?? [];
    const field = lineWords[word?.toLowerCase().replaceAll('-', '') ?? ''];
    const name = field ?? 'objective';
    fields.set(name, [...(fields.get(name) ?? []), field === undefined ? line : (rest as string)]);
  }
  return fields;
}

function amendmentOf(fields: ReadonlyMap<string, readonly string[]>): Record<string, unknown> {
  const whole = (name: string) => fields.get(name)?.join('\n');
  const parts = (name: string) =>
    fields.get(name)?.flatMap((rest) => rest.split(/[\s,]+/).filter((part) => part !== ''));
  const quota = quotaNames.filter((name) => fields.has(name)).map((name) => [name, whole(name)]);
  const scope = { paths: parts('paths'), denyPaths: parts('denyPaths'), resources: parts('resources') };
  return {
    objective: whole('objective'),
    title: whole('title'),
    addAcceptance: fields.get('addAcceptance'),
    dropAcceptance: parts('dropAcceptance'),
    nonGoals: fields.get('nonGoals'),
    ...(Object.values(scope).some((list) => list !== undefined) && { scope }),
    ...(quota.length > 0 && { quota: Object.fromEntries(quota) }),
  };
}
