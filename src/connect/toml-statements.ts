import { parse } from 'smol-toml';

/** One header or one key with its value, by offsets into the text. */
export interface Statement {
  readonly kind: 'table' | 'pair';
  /** With the table that it stands in. */
  readonly path: readonly string[];
  /** Where its line begins. */
  readonly lineStart: number;
  readonly valueStart: number;
  /** Behind the header or the value, before a comment on the line. */
  readonly end: number;
  /** Behind the line break, or the end of the text. */
  readonly lineEnd: number;
}

/** The statements of TOML in their order. The text has been parsed before: what is not valid is not looked for. */
export function statementsOf(text: string): readonly Statement[] {
  const statements: Statement[] = [];
  let table: readonly string[] = [];
  let at = 0;
  for (;;) {
    at = skip(text, at, /[ \t\r\n]*/y);
    const first = text[at];
    if (first === undefined) return statements;
    if (first === '#') {
      at = lineEndAt(text, at);
      continue;
    }
    const lineStart = text.lastIndexOf('\n', at - 1) + 1;
    const isHeader = first === '[';
    const keyStart = isHeader ? skip(text, at, /\[+[ \t]*/y) : at;
    const keyEnd = skip(text, keyStart, /(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^"'=\]])*/y);
    const key = keyPath(text.slice(keyStart, keyEnd));
    const valueStart = isHeader ? keyEnd : skip(text, keyEnd, /=[ \t]*/y);
    const end = isHeader ? skip(text, keyEnd, /\]+/y) : valueEndAt(text, valueStart);
    if (isHeader) table = key;
    const path = isHeader ? key : [...table, ...key];
    const lineEnd = lineEndAt(text, end);
    statements.push({ kind: isHeader ? 'table' : 'pair', path, lineStart, valueStart, end, lineEnd });
    at = lineEnd;
  }
}

function skip(text: string, at: number, sticky: RegExp): number {
  sticky.lastIndex = at;
  return at + (sticky.exec(text)?.[0].length ?? 0);
}

function lineEndAt(text: string, at: number): number {
  const lineFeed = text.indexOf('\n', at);
  return lineFeed === -1 ? text.length : lineFeed + 1;
}

function keyPath(key: string): readonly string[] {
  const path: string[] = [];
  let value: unknown = parse(`${key.trim()} = 0`);
  while (typeof value === 'object' && value !== null) {
    const [[name, inner]] = Object.entries(value) as [[string, unknown]];
    path.push(name);
    value = inner;
  }
  return path;
}

const long = [/"""(?:[^\\]|\\[\s\S])*?"""+/y, /'''[\s\S]*?'''+/y];
const short = [/"(?:[^"\\\n]|\\.)*"/y, /'[^'\n]*'/y];

/** Strings, brackets and comments inside brackets decide where a value ends; white space before that is not part. */
function valueEndAt(text: string, start: number): number {
  let depth = 0;
  let end = start;
  for (let at = start; at < text.length; ) {
    const stringEnd = [...long, ...short].map((string) => skip(text, at, string)).find((next) => next > at);
    const char = text[at] ?? '';
    if (stringEnd !== undefined) {
      at = stringEnd;
      end = at;
      continue;
    }
    if (char === '#') {
      if (depth === 0) return end;
      at = lineEndAt(text, at);
      continue;
    }
    if (char === '\n' && depth === 0) return end;
    if (char === '[' || char === '{') depth += 1;
    if (char === ']' || char === '}') depth -= 1;
    at += 1;
    if (!/\s/.test(char)) end = at;
  }
  return end;
}
