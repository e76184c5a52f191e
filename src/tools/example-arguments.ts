import type { JsonSchema } from './wire-schema.ts';

export type FieldPath = readonly (string | number)[];

/**
 * The smallest value that fits the schema and shows the field at `path`: what is required, and the way to that field.
 * With an empty path only what is required.
 */
export function exampleOf(schema: JsonSchema, path: FieldPath = []): unknown {
  const [step, ...rest] = path;
  if (schema.type === 'object' && schema.properties !== undefined) {
    const way = typeof step === 'string' && step in schema.properties ? step : undefined;
    if (way === undefined && schema.examples !== undefined) return schema.examples[0];
    const names = Object.keys(schema.properties).filter((name) => name === way || schema.required?.includes(name));
    return Object.fromEntries(
      names.map((name) => [name, exampleOf(schema.properties?.[name] ?? {}, name === way ? rest : [])]),
    );
  }
  if (schema.examples !== undefined) return schema.examples[0];
  if (schema.type === 'array') return [exampleOf(schema.items ?? {}, rest)];
  if (schema.type === 'boolean') return true;
  return schema.enum?.[0] ?? {};
}

/** The schema at a path, through lists and objects; undefined where the path leads out of it. */
export function schemaAt(schema: JsonSchema, path: FieldPath): JsonSchema | undefined {
  let here: JsonSchema | undefined = schema;
  for (const step of path) here = typeof step === 'number' ? here?.items : here?.properties?.[step];
  return here;
}

/** "todos[0].scope.paths" */
export function fieldName(path: FieldPath): string {
  return path.reduce<string>(
    (name, step) => (typeof step === 'number' ? `${name}[${step}]` : name === '' ? step : `${name}.${step}`),
    '',
  );
}
