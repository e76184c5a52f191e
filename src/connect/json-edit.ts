import assert from 'node:assert/strict';
import { applyEdits, type Edit, getNodeValue, type Node } from 'jsonc-parser';
import { indentAt, styleOf, type TextStyle } from './config-text.ts';
import type { Entry } from './host-table.ts';
import { jsonText } from './json-text.ts';
import { endOf, objectIn, propertyOf, readRoot, readValue, tailOf } from './json-tree.ts';
import { mergedEntry } from './merged-entry.ts';
import { isSameValue } from './same-value.ts';
import type { Format } from './server-edit.ts';

type Values = { readonly [key: string]: unknown };

/** Edits JSON with comments by text, so that everything around the entry keeps its bytes. */
export const jsonFormat: Format = {
  read(text, place) {
    if (isBlank(text)) return undefined;
    return entryAt(readValue(bodyOf(text)), place);
  },

  set(text, [servers, key], entry, ownKeys) {
    const style = styleOf(text);
    if (isBlank(text)) return `${style.bom}${jsonText({ [servers]: { [key]: entry } }, style, '')}${style.eol}`;
    const body = bodyOf(text);
    const root = readRoot(body);
    const edits = setEdits({ body, style, root }, servers, key, entry, ownKeys);
    const after = applyEdits(body, edits);
    const before = getNodeValue(root) as Values;
    const had = entryAt(before, [servers, key]);
    const mine = mergedEntry(entry, had, ownKeys);
    const expected = { ...before, [servers]: { ...(before[servers] as Values), [key]: mine } };
    assert(isSameValue(readValue(after), expected), 'an edit of JSON changes the entry and nothing else');
    return style.bom + after;
  },

  unset(text, [servers, key]) {
    if (isBlank(text)) return text;
    const body = bodyOf(text);
    const root = readRoot(body);
    const property = propertyOf(root, servers);
    const object = property && objectIn(property);
    const mine = object && propertyOf(object, key);
    if (object === undefined || mine === undefined) return text;
    const after = applyEdits(body, removeEdits(body, object, mine));
    const before = getNodeValue(root) as Values;
    const { [key]: _mine, ...others } = before[servers] as Values;
    assert(isSameValue(readValue(after), { ...before, [servers]: others }), 'only the entry is taken out');
    return styleOf(text).bom + after;
  },
};

function isBlank(text: string): boolean {
  return bodyOf(text).trim() === '';
}

function bodyOf(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

function entryAt(root: unknown, [servers, key]: readonly [string, string]): Entry | undefined {
  const entry = (root as { [name: string]: { [name: string]: unknown } | undefined })?.[servers]?.[key];
  return typeof entry === 'object' && entry !== null ? (entry as Entry) : undefined;
}

interface Document {
  readonly body: string;
  readonly style: TextStyle;
  readonly root: Node;
}

function setEdits(doc: Document, servers: string, key: string, entry: Entry, ownKeys: readonly string[]): Edit[] {
  const container = propertyOf(doc.root, servers);
  if (container === undefined) return insert(doc, doc.root, { [servers]: { [key]: entry } });
  const object = objectIn(container);
  const mine = propertyOf(object, key);
  if (mine === undefined) return insert(doc, object, { [key]: entry });
  const present = objectIn(mine);
  const missing: { [name: string]: unknown } = {};
  const edits: Edit[] = [];
  for (const [name, value] of Object.entries(entry)) {
    const node = propertyOf(present, name)?.children?.[1];
    if (node === undefined) missing[name] = value;
    else if (ownKeys.includes(name) && !isSameValue(getNodeValue(node), value))
      edits.push({ offset: node.offset, length: node.length, content: jsonText(value, doc.style, undefined) });
  }
  return Object.keys(missing).length === 0 ? edits : [...edits, ...insert(doc, present, missing)];
}

/** Puts properties behind those of the object, in the way the object is written. */
function insert({ body, style, root }: Document, object: Node, values: Values): Edit[] {
  const last = object.children?.at(-1);
  const isOnLines = isWrittenOnLines(body, root, object);
  const base = indentAt(body, object.offset);
  const childIndent = last === undefined ? base + style.indent : ownIndent(body, last, base + style.indent);
  const space = body.slice(object.offset, endOf(object)).includes('":"') ? '' : ' ';
  const texts = Object.entries(values).map(([name, value]) =>
    isOnLines
      ? `${style.eol}${childIndent}${JSON.stringify(name)}: ${jsonText(value, style, childIndent)}`
      : `${JSON.stringify(name)}:${space}${jsonText(value, style, undefined)}`,
  );
  if (last === undefined) {
    const inner = body.slice(object.offset + 1, endOf(object) - 1);
    const kept = inner.trimEnd();
    const mustBreak = isOnLines || kept !== '';
    const content = isOnLines ? texts.join(',') : `${kept === '' ? '' : style.eol}${texts.join(`,${space}`)}`;
    const close = mustBreak ? style.eol + base : '';
    return [{ offset: object.offset + 1, length: inner.length, content: kept + content + close }];
  }
  const { commaAt, end } = tailOf(body, last);
  if (isOnLines) {
    const added = { offset: end, length: 0, content: texts.join(',') + (commaAt === undefined ? '' : ',') };
    return commaAt === undefined ? [{ offset: endOf(last), length: 0, content: ',' }, added] : [added];
  }
  const joined = texts.join(`,${space}`);
  return commaAt === undefined
    ? [{ offset: endOf(last), length: 0, content: `,${space}${joined}` }]
    : [{ offset: commaAt + 1, length: 0, content: `${space}${joined},` }];
}

/** An empty object is written as the one around it; an empty file's, on lines. */
function isWrittenOnLines(body: string, root: Node, object: Node): boolean {
  if (body.slice(object.offset, endOf(object)).includes('\n')) return true;
  if ((object.children?.length ?? 0) > 0) return false;
  if (object === root) return true;
  return body.slice(root.offset, object.offset).includes('\n');
}

function ownIndent(body: string, property: Node, otherwise: string): string {
  const indent = indentAt(body, property.offset);
  return /(^|\n)[ \t]*$/.test(body.slice(0, property.offset)) ? indent : otherwise;
}

function removeEdits(body: string, object: Node, mine: Node): Edit[] {
  const children = object.children ?? [];
  if (children.length === 1 && /^[\s,]*$/.test(around(body, object, mine)))
    return [{ offset: object.offset, length: object.length, content: '{}' }];
  const { commaAt } = tailOf(body, mine);
  const end = commaAt === undefined ? endOf(mine) : commaAt + 1;
  // The line goes with it where it stands alone; a line break that ends a comment before it has to stay.
  const lead = /^[ \t]*\r?\n/.test(body.slice(end)) ? /(\r?\n)?[ \t]*$/ : /[ \t]*$/;
  const start = mine.offset - (lead.exec(body.slice(0, mine.offset))?.[0].length ?? 0);
  const edits = [{ offset: start, length: end - start, content: '' }];
  const before = children[children.indexOf(mine) - 1];
  const comma = before && commaAt === undefined ? tailOf(body, before).commaAt : undefined;
  return comma === undefined ? edits : [{ offset: comma, length: 1, content: '' }, ...edits];
}

function around(body: string, object: Node, mine: Node): string {
  return body.slice(object.offset + 1, mine.offset) + body.slice(endOf(mine), endOf(object) - 1);
}
