import * as z from 'zod';
import type { Tool } from './define-tool.ts';

/** The part of JSON Schema that tools use: what every host's converter understands. */
export interface JsonSchema {
  readonly type?: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean';
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly properties?: { readonly [name: string]: JsonSchema };
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly examples?: readonly unknown[];
  /** The properties that tools/list shows where an object is shown briefly; the others are taken all the same. */
  readonly shown?: readonly string[];
}

const kept = new Set(['type', 'description', 'enum', 'properties', 'required', 'items']);
const fullSchemas = new Map<string, JsonSchema>();

/** A tool's arguments with the examples of each field, for refusals and help. */
export function fullSchema(tool: Tool): JsonSchema {
  let schema = fullSchemas.get(tool.name);
  if (schema === undefined) {
    schema = z.toJSONSchema(tool.input, { io: 'input' }) as JsonSchema;
    fullSchemas.set(tool.name, schema);
  }
  return schema;
}

/**
 * The arguments as tools/list shows them. Limits, patterns and closed roots are left out: some hosts drop them, some
 * refuse the tool over them, and one adds an argument of its own.
 */
export function wireSchema(tool: Tool): JsonSchema {
  return shown(fullSchema(tool));
}

function shown(schema: JsonSchema): JsonSchema {
  const out: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (!kept.has(key)) continue;
    if (key === 'properties') {
      const parts = Object.entries(value as NonNullable<JsonSchema['properties']>);
      const visible = parts.filter(([name]) => schema.shown?.includes(name) ?? true);
      out.properties = Object.fromEntries(visible.map(([name, part]) => [name, shown(part)]));
    } else out[key] = key === 'items' ? shown(value as JsonSchema) : value;
  }
  return out as JsonSchema;
}
