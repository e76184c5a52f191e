import { isUtf8 } from 'node:buffer';
import * as crypto from 'node:crypto';
import type { Commit } from './commit-log.ts';

export const formatVersion = 1;
export const newline = 0x0a;

/** The commit as its one line, with the newline. */
export function encodeLine(commit: Commit): Buffer {
  return Buffer.from(`${JSON.stringify(commit)}\n`);
}

/** SHA-256 (hex) of a line's bytes without its newline: the next commit's `prev`. */
export function hashLine(line: Buffer): string {
  // The one-shot hash is three times as fast for short lines; Node has it since 20.12.
  if (crypto.hash !== undefined) return crypto.hash('sha256', line, 'hex');
  return crypto.createHash('sha256').update(line).digest('hex');
}

/** What a line says of its place in the chain, if it is a commit of any format at all. */
export interface ParsedLine {
  readonly v: unknown;
  readonly version: number;
  readonly prev: string;
  readonly commit: Commit;
}

/** The line if it is UTF-8 JSON (no byte order mark) with a version and a prev; undefined for torn writes and repairs. */
export function parseLine(line: Buffer): ParsedLine | undefined {
  if (!isUtf8(line)) return undefined;
  let value: Partial<Commit> | null;
  try {
    value = JSON.parse(line.toString());
  } catch {
    return undefined;
  }
  const { v, version, prev } = value ?? {};
  if (!Number.isSafeInteger(version) || typeof prev !== 'string') return undefined;
  return { v, version: version as number, prev, commit: value as Commit };
}

/** The field that keeps a line in its place from being a commit of format 1, undefined where all are well. */
export function malformedField(commit: Commit): string | undefined {
  const { id, at, by, command, events, version, log } = commit;
  if (typeof id !== 'string' || id === '') return 'id';
  if (typeof at !== 'string' || Number.isNaN(Date.parse(at))) return 'at';
  if (!isObject(by)) return 'by';
  if (!isObject(command)) return 'command';
  if (!Array.isArray(events) || !events.every((event) => typeof event?.type === 'string')) return 'events';
  if (version === 1 && (typeof log !== 'string' || log === '')) return 'log';
  return undefined;
}

/** Whether the commit ends its segment: its only event says so. */
export function isSeal({ events }: Commit): boolean {
  return events.length === 1 && events[0]?.type === sealedEvent;
}

export const sealedEvent = 'segment.sealed';

function isObject(value: unknown): boolean {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
