import { closeSync, existsSync, fdatasyncSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { StoreError } from './commit-log.ts';
import type { Faults } from './faults.ts';
import type { SegmentFile } from './segment-file.ts';
import { syncFolders } from './segment-maker.ts';
import type { LogPosition } from './segment-reader.ts';
import { outcomeUnknown, syncFailed } from './store-trouble.ts';

export const failedSyncMarker = 'sync-failed';

/**
 * What this process knows to be on the disk. Earlier segments are: who makes a segment has synced the one before it. A
 * failed sync is never tried again, since the system then forgets which bytes it owes; a marker tells the others.
 */
export class Durability {
  readonly #stateDir: string;
  readonly #faults: Faults | undefined;
  readonly #marker: string;
  /** The segment whose name is known to be on the disk, whoever made it. */
  #syncedSegment = 0;
  #hasFailed = false;
  syncedVersion = 0;

  constructor(stateDir: string, faults: Faults | undefined) {
    this.#stateDir = stateDir;
    this.#faults = faults;
    this.#marker = join(stateDir, 'log', failedSyncMarker);
  }

  /** Puts everything up to that position on the disk; throws `outcome-unknown` when the disk does not confirm it. */
  sync(file: SegmentFile, { version, segment }: LogPosition): void {
    if (this.syncedVersion >= version) return;
    const failure = this.failure(version);
    if (failure) throw failure;
    try {
      this.#faults?.at('before-sync', file.path);
      fdatasyncSync(file.fd);
      if (this.#syncedSegment !== segment) syncFolders(this.#stateDir);
      this.#faults?.at('after-sync', file.path);
    } catch (error) {
      // A folder that could not even be opened leaves the disk's own word as it was: the next sync asks again.
      if ((error as NodeJS.ErrnoException).syscall !== 'open') this.#fail(version);
      throw outcomeUnknown('the disk did not confirm it', version, error);
    }
    // The system tells a lost write once: another process may have been told of it while this one was told all is well.
    const since = this.failure(version);
    if (since) throw outcomeUnknown('another process was told that the disk failed', version, since);
    this.#syncedSegment = segment;
    this.syncedVersion = version;
  }

  /** The refusal that follows a failed sync of any process. */
  failure(lastGoodVersion: number): StoreError | undefined {
    if (!this.#hasFailed && !existsSync(this.#marker)) return undefined;
    return syncFailed({ file: this.#marker, lastGoodVersion });
  }

  #fail(version: number): void {
    this.#hasFailed = true;
    try {
      const fd = openSync(this.#marker, 'a', 0o600);
      try {
        writeSync(fd, `${JSON.stringify({ version, pid: process.pid })}\n`);
        fsyncSync(fd);
      } finally {
        closeSync(fd);
      }
    } catch {
      // On such a disk the marker may fail as well; this process remembers.
    }
  }
}
