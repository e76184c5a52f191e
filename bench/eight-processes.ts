import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { BareLoop } from './bare-loop.ts';
import type { Figure } from './compare.ts';
import { beginWork, note, Workspace } from './workspace.ts';

const processes = 8;
const roundMs = 1_500;

/** A writer in a process of its own, which answers each order with one line. */
class Writer {
  readonly ready: Promise<string>;
  readonly #process;
  #told: (line: string) => void = () => undefined;

  constructor({ root, stateDir }: Workspace, agent: string) {
    const script = join(import.meta.dirname, 'writer-process.mjs');
    this.#process = spawn(process.execPath, [script, root, stateDir, agent], { stdio: ['pipe', 'pipe', 'inherit'] });
    createInterface({ input: this.#process.stdout }).on('line', (line) => this.#told(line));
    this.ready = this.#next();
  }

  /** How many commits were acknowledged in so many ms. */
  async count(ms: number): Promise<number> {
    this.#process.stdin.write(`${ms}\n`);
    return Number(await this.#next());
  }

  #next(): Promise<string> {
    return new Promise((resolve) => {
      this.#told = resolve;
    });
  }
}

/** Commits a second of 8 processes on one log, beside those of a bare loop in one process. */
export async function eightProcesses(): Promise<readonly Figure[]> {
  const workspace = new Workspace();
  const plane = await workspace.open('ann');
  const todo = await beginWork(plane);
  const bytes = await workspace.bytesOf(() => note(plane, todo));
  const writers = Array.from({ length: processes }, (_, at) => new Writer(workspace, `agent${at}`));
  await Promise.all(writers.map((writer) => writer.ready));
  const bare = new BareLoop(workspace.root, bytes);
  return [
    {
      name: 'commits of 8 processes together',
      unit: '/s',
      ours: {
        name: 'todo_update with a note, 8 processes on one log',
        measure: async () => {
          const counts = await Promise.all(writers.map((writer) => writer.count(roundMs)));
          return counts.reduce((sum, count) => sum + count, 0) / (roundMs / 1_000);
        },
      },
      beside: { name: `bare append + fdatasync of ${bytes} bytes in one process`, measure: () => bare.rate(roundMs) },
      rounds: 5,
      warmUps: 1,
      aim: { atLeast: 0.4 },
    },
  ];
}
