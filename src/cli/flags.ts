import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Tool } from '../tools/define-tool.ts';
import { fullSchema, type JsonSchema } from '../tools/wire-schema.ts';

/** Arguments that every command takes (see `addCommonFlags`), whether a tool has them or not. */
const commonNames = new Set(['agent', 'idempotencyKey']);

/** `idempotencyKey` is typed `--idempotency-key`. */
export function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** One flag for each argument of the tool. What the values mean is `parseInput`'s to say, as it is over MCP. */
export function addToolFlags(command: Command, tool: Tool): void {
  const schema = fullSchema(tool);
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    if (commonNames.has(name)) continue;
    const isRequired = schema.required?.includes(name) ?? false;
    const option = new Option(`--${kebab(name)} ${placeholder(field)}`, describe(field, isRequired));
    command.addOption(option.argParser((value: string, before: unknown) => collect(name, field, value, before)));
  }
}

/** The tool's raw arguments, by the names they have over MCP. */
export function rawArguments(
  tool: Tool,
  flags: { readonly [name: string]: unknown },
  common: { readonly [name: string]: unknown },
): { readonly [name: string]: unknown } {
  const raw: { [name: string]: unknown } = {};
  for (const name of Object.keys(fullSchema(tool).properties ?? {})) {
    const value = commonNames.has(name) ? common[name] : flags[name];
    if (value !== undefined) raw[name] = value;
  }
  return raw;
}

/** `--files a --files b` is a list of two; any other flag that is given twice is a mistake. */
function collect(name: string, field: JsonSchema, value: string, before: unknown): unknown {
  const read = fromJson(field, value);
  if (before === undefined) return read;
  const isList = field.type === 'array' && field.items?.type === 'string';
  if (!isList) throw new InvalidArgumentError(`--${kebab(name)} is given twice.`);
  return [before, read].flat();
}

/** Lists and objects come as JSON; what is no JSON is left for `parseInput` to read or refuse by name. */
function fromJson(field: JsonSchema, value: string): unknown {
  if (field.type !== 'array' && field.type !== 'object') return value;
  if (!/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function placeholder(field: JsonSchema): string {
  switch (field.type) {
    case 'boolean':
      return '[true|false]';
    case 'number':
    case 'integer':
      return '<n>';
    case 'array':
      return field.items?.type === 'string' ? '<text|json>' : '<json>';
    case 'object':
      return '<json>';
    default:
      return '<text>';
  }
}

function describe(field: JsonSchema, isRequired: boolean): string {
  const example = field.examples?.[0] ?? field.items?.examples?.[0];
  const said = field.enum?.join(', ') ?? (example === undefined ? '' : `e.g. ${textOf(example)}`);
  const parts = field.type === 'object' || field.items?.type === 'object' ? Object.keys(partsOf(field)) : [];
  const fields = parts.length === 0 ? '' : `fields: ${parts.join(', ')}`;
  return [isRequired ? 'required' : '', said === '' || fields === '' ? said : '', fields]
    .filter((part) => part !== '')
    .join('; ');
}

function partsOf(field: JsonSchema): NonNullable<JsonSchema['properties']> {
  return field.properties ?? field.items?.properties ?? {};
}

function textOf(example: unknown): string {
  return typeof example === 'string' ? example : JSON.stringify(example);
}

/** Names inside lists and objects that the tool does not have, as "todos[0].titel". */
export function unknownParts(tool: Tool, raw: { readonly [name: string]: unknown }): readonly string[] {
  return walk(fullSchema(tool), raw, '');
}

function walk(schema: JsonSchema | undefined, value: unknown, path: string): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item, at) => walk(schema?.items, item, `${path}[${at}]`));
  const known = schema?.properties;
  if (known === undefined || typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => {
    const here = path === '' ? name : `${path}.${name}`;
    return Object.hasOwn(known, name) ? walk(known[name], part, here) : [here];
  });
}
