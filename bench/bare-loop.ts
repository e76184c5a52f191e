import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** The physical limit: one file that lines are appended to, each on the disk before the next. */
export class BareLoop {
  readonly #fd: number;
  readonly #line: Buffer;

  /** @param lineBytes how long a line is, its newline included */
  constructor(folder: string, lineBytes: number) {
    this.#fd = openSync(join(folder, 'bare.jsonl'), 'a', 0o600);
    this.#line = Buffer.from(`${'x'.repeat(lineBytes - 1)}\n`);
  }

  append(): void {
    writeSync(this.#fd, this.#line);
    fdatasyncSync(this.#fd);
  }

  /** Appends one line after the other for so long; answers how many a second. */
  rate(ms: number): number {
    const startedAt = performance.now();
    let count = 0;
    while (performance.now() - startedAt < ms) {
      this.append();
      count++;
    }
    return count / ((performance.now() - startedAt) / 1_000);
  }

  close(): void {
    closeSync(this.#fd);
  }
}
