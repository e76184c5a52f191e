import { plain } from './plain.ts';

/** What stands at the foot of an answer, or says nothing to people. */
const atFoot = new Set(['ok', 'version', 'you', 'asOf', 'notices']);

/** Any answer as an indented outline: one line a field, lists of texts on one line, lists of things one after another. */
export function outline(answer: { readonly [field: string]: unknown }): string {
  const lines = Object.entries(answer)
    .filter(([name, value]) => !atFoot.has(name) && !isNothing(value))
    .flatMap(([name, value]) => field(name, value, ''));
  return lines.join('\n');
}

function field(name: string, value: unknown, indent: string): readonly string[] {
  if (isScalar(value)) return [`${indent}${name}: ${scalar(value, indent)}`];
  if (Array.isArray(value) && value.every(isScalar)) {
    return [`${indent}${name}: ${value.map((item) => scalar(item, indent)).join(', ')}`];
  }
  return [`${indent}${name}:`, ...inner(value, `${indent}  `)];
}

function inner(value: unknown, indent: string): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => listItem(item, indent));
  return Object.entries(value as object)
    .filter(([, part]) => !isNothing(part))
    .flatMap(([name, part]) => field(name, part, indent));
}

function listItem(item: unknown, indent: string): readonly string[] {
  if (isScalar(item)) return [`${indent}- ${scalar(item, indent)}`];
  const [first = '', ...rest] = inner(item, `${indent}  `);
  return [`${indent}- ${first.trimStart()}`, ...rest];
}

function isScalar(value: unknown): value is string | number | boolean | null {
  return typeof value !== 'object' || value === null;
}

function isNothing(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.values(value).every(isNothing);
}

function scalar(value: string | number | boolean | null, indent: string): string {
  return plain(String(value)).replaceAll('\n', `\n${indent}  `);
}
