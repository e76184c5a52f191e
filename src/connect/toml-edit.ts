import { parse, TomlError } from 'smol-toml';
import { ConfigError } from './config-error.ts';
import { styleOf } from './config-text.ts';
import type { Entry } from './host-table.ts';
import { mergedEntry } from './merged-entry.ts';
import { isSameValue, isTable } from './same-value.ts';
import type { Format, Place } from './server-edit.ts';
import { type Statement, statementsOf } from './toml-statements.ts';

type Values = { readonly [key: string]: unknown };

/** Edits TOML by text, since no library writes it and keeps comments; what it then says is compared with what it said. */
export const tomlFormat: Format = {
  read(text, place) {
    return entryAt(readToml(text), place);
  },

  set(text, place, entry, ownKeys) {
    const before = readToml(text);
    const had = entryAt(before, place);
    const mine = mergedEntry(entry, had, ownKeys);
    const after = had === undefined ? append(text, place, mine) : change(text, place, had, mine);
    return checked(after, before, place, mine);
  },

  unset(text, place) {
    const before = readToml(text);
    return entryAt(before, place) === undefined ? text : checked(remove(text, place), before, place, undefined);
  },
};

/** @throws ConfigError config-broken, with line and column */
function readToml(text: string): Values {
  try {
    return parse(text.replace(/^\ufeff/, ''));
  } catch (cause) {
    if (!(cause instanceof TomlError)) throw cause;
    const why = /^Invalid TOML document: ([^\n]*)/.exec(cause.message)?.[1] ?? 'it cannot be parsed';
    const message = `It is not valid TOML: ${why} at line ${cause.line}, column ${cause.column}.`;
    throw new ConfigError('config-broken', message, { cause });
  }
}

function entryAt(root: Values, [servers, key]: Place): Entry | undefined {
  const table = root[servers];
  if (table === undefined) return undefined;
  if (!isTable(table)) throw new ConfigError('config-shape', `\`${servers}\` in it is no table, so it is not touched.`);
  const entry = table[key];
  if (entry === undefined || isTable(entry)) return entry;
  throw new ConfigError('config-shape', `\`${servers}.${key}\` in it is no table, so it is not touched.`);
}

/** The text, once it is sure that it says what it said before but for the entry. */
function checked(text: string, before: Values, [servers, key]: Place, entry: Entry | undefined): string {
  const { [key]: _had, ...others } = (before[servers] ?? {}) as Values;
  const wanted = { ...before, [servers]: entry === undefined ? others : { ...others, [key]: entry } };
  if (isSameValue(comparable(parsed(text), servers), comparable(wanted, servers))) return text;
  throw new ConfigError(
    'config-shape',
    `\`${servers}\` is written inline, which is not edited: write it as tables, [${servers}.${key}] and so on.`,
  );
}

function parsed(text: string): Values {
  try {
    return readToml(text);
  } catch (error) {
    if (error instanceof ConfigError) return {};
    throw error;
  }
}

/** A table that only its sub-tables define is gone with the last of them. */
function comparable(root: Values, servers: string): unknown {
  const { [servers]: table, ...others } = root;
  const isEmpty = table === undefined || Object.keys(table as Values).length === 0;
  return isEmpty ? others : root;
}

function append(text: string, [servers, key]: Place, entry: Entry): string {
  const { bom, eol } = styleOf(text);
  const block = [`[${servers}.${key}]`, ...Object.entries(entry).map(pairText), ''].join(eol);
  if (text.replace(/^\ufeff/, '').trim() === '') return bom + block;
  return `${text}${text.endsWith('\n') ? '' : eol}${eol}${block}`;
}

function change(text: string, place: Place, had: Entry, entry: Entry): string {
  const statements = statementsOf(text.replace(/^\ufeff/, ' '));
  const header = statements.findIndex(({ kind, path }) => kind === 'table' && isSameValue(path, place));
  if (header === -1) {
    // Where only its sub-tables are written, the table itself may still follow; else it takes the other form's place.
    const isOnlySubTables = statements.find(({ path }) => isUnder(path, place))?.kind === 'table';
    const added = Object.entries(entry).filter(([key]) => !isOnlySubTables || had[key] === undefined);
    return append(isOnlySubTables ? text : remove(text, place), place, Object.fromEntries(added));
  }
  const table = statements.slice(header, tableEnd(statements, header));
  const { eol } = styleOf(text);
  let after = text;
  const missing = Object.entries(entry).filter(([key]) => had[key] === undefined);
  if (missing.length > 0) {
    const end = table.at(-1)?.lineEnd ?? text.length;
    const isLineOpen = !text.slice(0, end).endsWith('\n');
    const lines = missing.map(pairText).join(eol);
    after = after.slice(0, end) + (isLineOpen ? eol + lines : lines + eol) + after.slice(end);
  }
  for (const pair of [...table].reverse()) {
    const name = pair.kind === 'pair' && pair.path.length === 3 ? pair.path[2] : undefined;
    if (name === undefined || isSameValue(had[name], entry[name])) continue;
    after = after.slice(0, pair.valueStart) + tomlText(entry[name]) + after.slice(pair.end);
  }
  return after;
}

function tableEnd(statements: readonly Statement[], header: number): number {
  const next = statements.findIndex(({ kind }, index) => index > header && kind === 'table');
  return next === -1 ? statements.length : next;
}

function isUnder(path: readonly string[], place: Place): boolean {
  return isSameValue(path.slice(0, place.length), place);
}

/** Takes out every run of statements at or under the place, with the comments between them and one blank line before. */
function remove(text: string, place: Place): string {
  const statements = statementsOf(text.replace(/^\ufeff/, ' '));
  const isMine = ({ path }: Statement) => isUnder(path, place);
  let after = text;
  for (let last = statements.length - 1; last >= 0; last -= 1) {
    if (!isMine(statements[last]!)) continue;
    let first = last;
    while (first > 0 && isMine(statements[first - 1]!)) first -= 1;
    const start = Math.max(statements[first]!.lineStart, text.startsWith('\ufeff') ? 1 : 0);
    const before = after.slice(0, start).replace(/(\n)\r?\n$/, '$1');
    after = before + after.slice(statements[last]!.lineEnd);
    last = first;
  }
  return after;
}

function pairText([key, value]: readonly [string, unknown]): string {
  return `${/^[\w-]+$/.test(key) ? key : JSON.stringify(key)} = ${tomlText(value)}`;
}

function tomlText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(tomlText).join(', ')}]`;
  if (typeof value === 'string') return JSON.stringify(value).replaceAll('\u007f', '\\u007f');
  if (!isTable(value)) return value instanceof Date ? value.toISOString() : scalarText(value);
  const pairs = Object.entries(value).map(pairText);
  return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`;
}

function scalarText(value: unknown): string {
  return String(value).replace('Infinity', 'inf').replace('NaN', 'nan');
}
