import type { BigIntStats } from 'node:fs';

interface Entry {
  readonly stamp: string;
  readonly sha256: string;
}

/**
 * What files were last hashed to, by path and by what stat says of them, so that asking again costs one stat. A file
 * changed within the last moments is not kept: a write in the same tick of the file system's clock would not show.
 */
export class HashCache {
  readonly #entries = new Map<string, Entry>();
  readonly #entriesMax: number;

  constructor(entriesMax = 20_000) {
    this.#entriesMax = entriesMax;
  }

  get(path: string, stat: BigIntStats): string | undefined {
    const entry = this.#entries.get(path);
    return entry?.stamp === stampOf(stat) ? entry.sha256 : undefined;
  }

  /** `nowMs` is the wall clock before the file was read. */
  set(path: string, stat: BigIntStats, sha256: string, nowMs: number): void {
    this.#entries.delete(path);
    if (nowMs - Number(stat.ctimeMs) < settledAfterMs) return;
    this.#entries.set(path, { stamp: stampOf(stat), sha256 });
    if (this.#entries.size > this.#entriesMax) this.#entries.delete(this.#entries.keys().next().value!);
  }
}

/** The coarsest clock of a file system in use (FAT) ticks every two seconds. */
const settledAfterMs = 2_500;

function stampOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`;
}
