import { createHash } from 'node:crypto';
import type { Commit } from './commit-log.ts';

export const formatVersion = 1;
export const newline = 0x0a;

/** The commit as its one line, with the newline. */
export function encodeLine(commit: Commit): Buffer {
  return Buffer.from(`${JSON.stringify(commit)}\n`);
}

/** SHA-256 (hex) of a line's bytes without its newline: the next commit's `prev`. */
export function hashLine(line: Buffer): string {
  return createHash('sha256').update(line).digest('hex');
}

/** What a line says of its place in the chain, if it is a commit of any format at all. */
export interface ParsedLine {
  readonly v: unknown;
  readonly version: number;
  readonly prev: string;
  readonly commit: Commit;
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** The line if it is UTF-8 JSON with a version and a prev; undefined for torn writes and repairs. */
export function parseLine(line: Buffer): ParsedLine | undefined {
  let value: unknown;
  try {
    value = JSON.parse(decoder.decode(line));
  } catch {
    return undefined;
  }
  if (value === null || typeof value !== 'object') return undefined;
  const { v, version, prev } = value as Partial<Commit>;
  if (typeof version !== 'number' || typeof prev !== 'string') return undefined;
  return { v, version, prev, commit: value as Commit };
}
