import { isDeepStrictEqual } from 'node:util';

/** Deep equality of what parsers made; theirs have objects without a prototype. */
export function isSameValue(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(withPrototype(a), withPrototype(b));
}

/** A table or object, and no list or date. */
export function isTable(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

function withPrototype(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withPrototype);
  if (!isTable(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withPrototype(inner)]));
}
