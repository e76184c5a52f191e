import type { TextStyle } from './config-text.ts';

/**
 * A value as JSON in the file's style: objects on lines, lists on one.
 * @param indent that of the line it begins on; undefined for all on one line
 */
export function jsonText(value: unknown, style: TextStyle, indent: string | undefined): string {
  if (Array.isArray(value)) return `[${value.map((item) => jsonText(item, style, undefined)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = indent === undefined ? undefined : indent + style.indent;
  const lines = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${jsonText(item, style, inner)}`);
  if (lines.length === 0) return '{}';
  if (inner === undefined) return `{ ${lines.join(', ')} }`;
  return `{${style.eol}${lines.map((line) => inner + line).join(`,${style.eol}`)}${style.eol}${indent}}`;
}
