import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import type { Body } from './workspace.ts';

/** The lines of a segment, without their newlines. */
export function linesOf(path: string): readonly string[] {
  return readFileSync(path, 'utf8').split('\n').slice(0, -1);
}

/** A commit after the last line, chained to it as the protocol says, by a writer that knows nothing of the kernel. */
export function forge(path: string, events: readonly Body[], more: Body = {}): void {
  const last = linesOf(path).at(-1) ?? '';
  const { version = 0, at = '2026-01-01T00:00:00.000Z' } = last === '' ? {} : JSON.parse(last);
  const prev = last === '' ? '' : createHash('sha256').update(last).digest('hex');
  const by = { agent: 'mallory', session: 's', host: 'h' };
  const commit = { v: 1, version: version + 1, prev, id: `forged-${version}`, at, by, command: { type: 'x' }, events };
  const first = version === 0 ? { log: 'of-a-test', features: [] } : {};
  appendFileSync(path, `${JSON.stringify({ ...commit, ...first, ...more })}\n`);
}

/** Puts another byte where this text stands. */
export function flip(path: string, text: string): void {
  const bytes = readFileSync(path);
  const at = bytes.indexOf(text);
  if (at < 0) throw new Error(`no ${text} in ${path}`);
  bytes[at] = (bytes[at] as number) ^ 1;
  writeFileSync(path, bytes);
}
