import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buildSync } from 'esbuild';
import { afterAll, expect } from 'vitest';
import { readByTheRule } from './independent-reader.ts';

const scripts = mkdtempSync(join(tmpdir(), 'loopx-writer-'));
const script = join(scripts, 'writer.mjs');
buildSync({
  entryPoints: [join(import.meta.dirname, 'writer-process.ts')],
  outfile: script,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
});
afterAll(() => rmSync(scripts, { recursive: true }));

export interface WriterOptions {
  readonly stateDir: string;
  readonly name: string;
  readonly count: number;
  readonly parallel?: number;
  readonly segmentBytesMax?: number;
  readonly padBytes?: number;
  /** Where it kills itself: a fault point and the how manieth time, "before-sync 2". */
  readonly fault?: string;
}

/** A real process that appends; what it was acknowledged is known here even when it is killed. */
export class Writer {
  readonly process: ChildProcess;
  /** Texts by the version that was acknowledged for them. */
  readonly acknowledged = new Map<string, number>();
  readonly ready: Promise<void>;
  readonly ended: Promise<unknown>;
  complaint = '';

  constructor({
    stateDir,
    name,
    count,
    parallel = 1,
    segmentBytesMax = 1 << 30,
    padBytes = 0,
    fault = '',
  }: WriterOptions) {
    const numbers = [count, parallel, segmentBytesMax, padBytes].map(String);
    this.process = spawn(process.execPath, [script, stateDir, name, ...numbers, fault]);
    this.ended = once(this.process, 'close');
    this.process.stderr?.on('data', (text) => {
      this.complaint += String(text);
    });
    this.process.stdin?.on('error', () => undefined);
    this.ready = new Promise((resolve) => {
      createInterface({ input: this.process.stdout as NodeJS.ReadableStream }).on('line', (line) => {
        if (line === 'ready') return resolve();
        const [version, text] = line.split(' ') as [string, string];
        this.acknowledged.set(text, Number(version));
      });
      void this.ended.then(() => resolve());
    });
  }

  go(): void {
    this.process.stdin?.write('go\n');
  }
}

/** Starts the writers, lets them all begin at once and waits until they have ended. */
export async function race(writers: readonly Writer[]): Promise<void> {
  await Promise.all(writers.map((writer) => writer.ready));
  for (const writer of writers) writer.go();
  await Promise.all(writers.map((writer) => writer.ended));
  expect(writers.map((writer) => writer.complaint).join('')).toBe('');
}

/** Every acknowledged text is in the log once, at the version it was acknowledged for. Answers all texts of the log. */
export function expectAllKept(folder: string, writers: readonly Writer[]): readonly string[] {
  const commits = readByTheRule(folder);
  const texts = commits.map(({ events }) => events[0]?.text ?? '');
  for (const { acknowledged } of writers) {
    for (const [text, version] of acknowledged) expect(`${version} ${texts[version - 1]}`).toBe(`${version} ${text}`);
  }
  const said = texts.filter((text) => text !== '');
  expect(new Set(said).size).toBe(said.length);
  return said;
}
