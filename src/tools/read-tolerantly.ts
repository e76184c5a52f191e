import type { JsonSchema } from './wire-schema.ts';

const jsonNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/**
 * Reads a value as its schema means it, where hosts and models write it differently: null or "null" for an absent
 * optional value, a number, boolean, list or object as text, a lone text for a list of texts, a choice in other case.
 * Whatever cannot be read without guessing is left as it came, for the check that follows to refuse by name.
 */
export function readTolerantly(schema: JsonSchema, value: unknown): unknown {
  switch (schema.type) {
    case 'number':
    case 'integer':
      return typeof value === 'string' && jsonNumber.test(value.trim()) ? Number(value) : value;
    case 'boolean':
      return readBoolean(value);
    case 'string':
      return schema.enum === undefined ? value : readChoice(schema.enum, value);
    case 'array':
      return readList(schema, value);
    case 'object':
      return readObject(schema, value);
    default:
      return value;
  }
}

function readBoolean(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const word = value.trim().toLowerCase();
  return word === 'true' ? true : word === 'false' ? false : value;
}

function readChoice(choices: readonly string[], value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const word = value.trim().toLowerCase();
  return choices.find((choice) => choice.toLowerCase() === word) ?? value;
}

function readList(schema: JsonSchema, value: unknown): unknown {
  const items = schema.items ?? {};
  let list = value;
  if (typeof value === 'string') {
    const parsed = value.trim().startsWith('[') ? parseJson(value) : undefined;
    if (Array.isArray(parsed)) list = parsed;
    else if (items.type === 'string') list = [value];
  }
  return Array.isArray(list) ? list.map((item) => readTolerantly(items, item)) : list;
}

function readObject(schema: JsonSchema, value: unknown): unknown {
  const parsed = typeof value === 'string' && value.trim().startsWith('{') ? parseJson(value) : value;
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return value;
  if (schema.properties === undefined) return parsed;
  const read: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(schema.properties)) {
    const given = Object.hasOwn(parsed, name) ? (parsed as Record<string, unknown>)[name] : undefined;
    const isRequired = schema.required?.includes(name) ?? false;
    if (given !== undefined && !isAbsent(given, isRequired)) read[name] = readTolerantly(part, given);
  }
  return read;
}

function isAbsent(value: unknown, isRequired: boolean): boolean {
  return value === null || (!isRequired && typeof value === 'string' && value.trim() === 'null');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
