import type * as z from 'zod';
import { call, type Refusal } from '../state/kernel/refusal.ts';
import type { ParsedArguments, Tool } from './define-tool.ts';
import { exampleOf, type FieldPath, fieldName, schemaAt } from './example-arguments.ts';
import { readTolerantly } from './read-tolerantly.ts';
import { fullSchema, type JsonSchema } from './wire-schema.ts';

export type ParsedInput =
  | { readonly ok: true; readonly args: ParsedArguments }
  | { readonly ok: false; readonly refusal: Refusal };

/**
 * Reads the arguments of a call as they came over the wire or from the command line. Unknown arguments are ignored;
 * anything else that does not fit is refused by the field's name (`bad-argument`, or `too-large` over a limit) with an
 * example that would be accepted.
 */
export function parseInput(tool: Tool, raw: unknown): ParsedInput {
  const schema = fullSchema(tool);
  const result = tool.input.safeParse(readTolerantly(schema, raw ?? {}));
  if (result.success) return { ok: true, args: result.data };
  const issue = result.error.issues[0] as z.core.$ZodIssue;
  return { ok: false, refusal: refusalOf(tool, schema, issue, raw) };
}

/** Names among the raw arguments that the tool does not have; the command line refuses them. */
export function unknownArguments(tool: Tool, raw: object): readonly string[] {
  const known = fullSchema(tool).properties ?? {};
  return Object.keys(raw).filter((name) => !Object.hasOwn(known, name));
}

function refusalOf(tool: Tool, schema: JsonSchema, issue: z.core.$ZodIssue, raw: unknown): Refusal {
  const path = issue.path.filter((step) => typeof step !== 'symbol') as FieldPath;
  const field = fieldName(path);
  const example = exampleOf(schema, path) as Record<string, unknown>;
  const isTooLarge = issue.code === 'too_big' && (issue.origin === 'string' || issue.origin === 'array');
  const came = shorten(valueAt(raw, path));
  const text =
    `${field === '' ? 'the arguments' : `\`${field}\``} ${clause(issue, schemaAt(schema, path), came)}; ` +
    `for example ${JSON.stringify(example)}.`;
  return {
    code: isTooLarge ? 'too-large' : 'bad-argument',
    message: text,
    details: { field, ...(came === undefined ? {} : { got: came }), example },
    next: [call(tool.name, example, 'This has the right form; use your own values.')],
  };
}

/** What is wrong, as the rest of a sentence that begins with the field's name. */
function clause(issue: z.core.$ZodIssue, schema: JsonSchema | undefined, came: string | undefined): string {
  if (issue.code === 'too_big') {
    const unit = issue.origin === 'string' ? ' characters' : issue.origin === 'array' ? ' items' : '';
    return `is over its limit of ${issue.maximum}${unit}`;
  }
  if (issue.code === 'custom') return issue.message;
  if (came === undefined || came === 'null') return 'is required';
  if (issue.code === 'too_small') {
    if (issue.origin === 'string' || issue.origin === 'array') return 'must not be empty';
    return `must be at least ${issue.minimum}, not ${came}`;
  }
  return `must be ${kindOf(schema)}, not ${came}`;
}

function kindOf(schema: JsonSchema | undefined): string {
  if (schema?.enum !== undefined) return `one of ${schema.enum.join(', ')}`;
  switch (schema?.type) {
    case 'array':
      return `a list of ${schema.items?.type === 'string' ? 'texts' : 'objects'}`;
    case 'boolean':
      return 'true or false';
    case 'integer':
      return 'a whole number';
    case 'number':
      return 'a number';
    case 'string':
      return 'text';
    default:
      return 'an object';
  }
}

/** What came at the path; a container that came as JSON text is shown as that text. */
function valueAt(raw: unknown, path: FieldPath): unknown {
  let here = raw;
  for (const step of path) {
    if (typeof here !== 'object' || here === null) break;
    here = (here as Record<string | number, unknown>)[step];
  }
  return here;
}

function shorten(value: unknown): string | undefined {
  const text = JSON.stringify(value);
  return text === undefined || text.length <= 80 ? text : `${text.slice(0, 79)}…`;
}
