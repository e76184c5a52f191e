import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fsyncSync,
  mkdirSync,
  openSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { nanoid } from 'nanoid';
import { makeStateDir } from '../workspace/state-dir.ts';
import { encodeLine } from './codec.ts';
import {
  type AppendResult,
  type Commit,
  type CommitDraft,
  type CommitLog,
  StoreError,
  type StoreHealth,
} from './commit-log.ts';
import { logLimits } from './limits.ts';
import { watchFolder } from './log-watch.ts';
import { tooLarge } from './memory-log.ts';
import { isCode, type LogPosition, SegmentReader, segmentName } from './segment-reader.ts';
import { checkStoreFolder } from './store-folder.ts';

export interface FileLogOptions {
  /** The workspace's state folder; the log lies in `log/` there. Made with the first append. */
  readonly stateDir: string;
  /** Whether this version can fold events of that kind; an unknown one makes the log read-only. */
  readonly knowsEvent?: (type: string) => boolean;
  /** A segment that has grown to this many bytes is sealed before the next commit. */
  readonly segmentBytesMax?: number;
  /** Where a snapshot left off. */
  readonly from?: LogPosition;
  /** Called at named points of an append, for fault injection in tests. */
  readonly faults?: Faults;
}

/** The points of an append at which a test can let something go wrong by throwing, killing or changing bytes. */
export type FaultPoint = 'before-write' | 'after-write' | 'before-sync' | 'after-sync' | 'at-seal';
export interface Faults {
  at(point: FaultPoint): void;
  /** How many bytes of a write reach the file; undefined for all. */
  shortWrite?(): number | undefined;
}

const markerName = 'sync-failed';

/** The file store: compare-and-append to segments of lines, no lock. See docs/log-protocol.md. */
export function openFileLog(options: FileLogOptions): FileLog {
  return new FileLog(options);
}

export class FileLog implements CommitLog {
  readonly #options: FileLogOptions;
  readonly #folder: string;
  readonly #reader: SegmentReader;
  /** The latest commits, up to the reader's version. */
  #kept: Commit[] = [];
  #logId: string | undefined;
  /** Version up to which this process knows the bytes to be on the disk. */
  #syncedVersion = 0;
  #isChecked = false;

  constructor(options: FileLogOptions) {
    this.#options = options;
    this.#folder = join(options.stateDir, 'log');
    this.#reader = new SegmentReader(this.#folder, options.knowsEvent ?? (() => true), options.from);
  }

  /** Where this reader stands, for a snapshot. */
  get position(): LogPosition {
    return this.#reader.position;
  }

  get syncedVersion(): number {
    return this.#syncedVersion;
  }

  async read(afterVersion: number): Promise<readonly Commit[]> {
    this.#catchUp();
    const first = this.#reader.position.version - this.#kept.length;
    const commits = afterVersion >= first ? this.#kept.slice(afterVersion - first) : this.#readAll(afterVersion);
    if (this.#kept.length > logLimits.keptCommits) this.#kept = this.#kept.slice(-logLimits.keptCommits);
    return commits;
  }

  async append(draft: CommitDraft, expectedVersion: number): Promise<AppendResult> {
    const startedAt = performance.now();
    for (let tries = 0; ; tries++) {
      this.#catchUp();
      const { version, hash } = this.#reader.position;
      if (version !== expectedVersion) return { conflict: version };
      this.#refuseUnwritable();
      if (this.#needsSeal()) return this.#seal(version);
      const commit = this.#commitOf(draft, version, hash);
      const written = this.#write(commit);
      if (written !== 'torn') return written;
      if (performance.now() - startedAt > logLimits.retryMsMax) {
        throw new StoreError('store-busy', 'The log could not be written for 5 s; nothing was written. Try again.', {
          version,
        });
      }
      await new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(200, 2 ** tries)));
    }
  }

  async sync(): Promise<void> {
    if (this.#syncedVersion < this.#reader.position.version) this.#fdatasync();
  }

  watch(onChange: () => void): () => void {
    return watchFolder(this.#folder, () => this.#reader.path, onChange);
  }

  async health(): Promise<StoreHealth> {
    let problem: StoreHealth['problem'];
    try {
      this.#catchUp();
      this.#refuseUnwritable();
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      problem = { code: error.code, message: error.message };
    }
    const { version } = this.#reader.position;
    const id = this.#logId;
    return {
      store: 'file',
      where: this.#folder,
      version,
      ...(id !== undefined && { log: id }),
      ...(problem && { problem }),
    };
  }

  async close(): Promise<void> {
    this.#reader.close();
  }

  #catchUp(): void {
    this.#reader.read((commit) => {
      if (commit.version === 1) this.#logId = commit.log;
      this.#kept.push(commit);
    });
  }

  #readAll(afterVersion: number): readonly Commit[] {
    const commits: Commit[] = [];
    const { version } = this.#reader.position;
    const reader = new SegmentReader(this.#folder, this.#options.knowsEvent ?? (() => true));
    try {
      reader.read((commit) => {
        if (commit.version > afterVersion && commit.version <= version) commits.push(commit);
      });
    } finally {
      reader.close();
    }
    return commits;
  }

  #commitOf(draft: CommitDraft, version: number, prev: string): Commit {
    const { id, at, by, command, events } = draft;
    const log = version === 0 ? { log: nanoid(), features: [] } : {};
    return { v: 1, version: version + 1, prev, ...log, id, at, by, command, events };
  }

  #refuseUnwritable(): void {
    if (!this.#isChecked) checkStoreFolder(this.#options.stateDir);
    this.#isChecked = true;
    if (existsSync(join(this.#folder, markerName))) {
      throw new StoreError(
        'store-read-only',
        'The disk once failed to take the log (fdatasync), so nobody can tell what is on it; nothing is written until loopx doctor has checked a copy.',
        { file: join(this.#folder, markerName), lastGoodVersion: this.#reader.position.version },
      );
    }
  }

  /** Writes one line and reads back what the log made of it. */
  #write(commit: Commit): AppendResult | 'torn' {
    const line = encodeLine(commit);
    if (line.length > logLimits.commitBytesMax) throw tooLarge(line.length);
    const fd = this.#writable();
    const bytes = this.#reader.hasTail ? Buffer.concat([Buffer.from('!\n'), line]) : line;
    const faults = this.#options.faults;
    faults?.at('before-write');
    try {
      writeSync(fd, bytes.subarray(0, faults?.shortWrite?.() ?? bytes.length));
    } catch (error) {
      throw unwritable(error, this.#folder);
    }
    faults?.at('after-write');
    this.#catchUp();
    const { version } = this.#reader.position;
    if (version < commit.version) return 'torn';
    const winner = this.#kept[this.#kept.length - 1 - (version - commit.version)] as Commit;
    if (winner.id !== commit.id) return { conflict: version };
    this.#fdatasync();
    this.#reader.check();
    return { appended: winner };
  }

  #fdatasync(): void {
    const { version } = this.#reader.position;
    if (this.#reader.fd === undefined) return;
    try {
      this.#options.faults?.at('before-sync');
      fdatasyncSync(this.#reader.fd);
      this.#options.faults?.at('after-sync');
    } catch (error) {
      this.#markFailedSync();
      throw new StoreError(
        'outcome-unknown',
        'The commit was written, but the disk did not confirm it (fdatasync failed); it may or may not last. The log is read-only until loopx doctor has checked it.',
        { version },
        error,
      );
    }
    this.#syncedVersion = version;
  }

  #markFailedSync(): void {
    try {
      writeFileSync(
        join(this.#folder, markerName),
        `${JSON.stringify({ version: this.#reader.position.version, pid: process.pid })}\n`,
        { mode: 0o600 },
      );
    } catch {
      // On such a disk the marker may fail as well; this process has said what it knows.
    }
  }

  /** The segment to write to, made where the log begins or the last segment is sealed. */
  #writable(): number {
    const { position } = this.#reader;
    if (this.#reader.fd !== undefined && !position.isSealed) return this.#reader.fd;
    try {
      if (position.version === 0) return this.#begin();
      // A sealed segment is on the disk before its successor exists.
      fdatasyncSync(this.#reader.fd as number);
      this.#reader.moveTo(this.#make(position.segment + 1));
      return this.#reader.fd as number;
    } catch (error) {
      throw unwritable(error, this.#folder);
    }
  }

  #begin(): number {
    const { stateDir } = this.#options;
    if (!makeStateDir(stateDir))
      throw new StoreError('store-read-only', `${stateDir} cannot be made; nothing was written.`, { folder: stateDir });
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const fd = this.#make(1);
    for (const folder of [stateDir, dirname(stateDir)]) syncFolder(folder);
    this.#reader.hold(fd);
    return fd;
  }

  #make(segment: number): number {
    const fd = openSync(join(this.#folder, segmentName(segment)), 'a+', 0o600);
    syncFolder(this.#folder);
    return fd;
  }

  #needsSeal(): boolean {
    const { offset, isSealed } = this.#reader.position;
    return !isSealed && offset >= (this.#options.segmentBytesMax ?? logLimits.segmentBytesMax);
  }

  /** Ends the segment by a commit of its own, so that whoever wanted this version reads again and decides again. */
  #seal(version: number): AppendResult {
    this.#options.faults?.at('at-seal');
    const draft = {
      id: nanoid(),
      at: this.#lastAt(),
      by: { log: 'loopx' },
      command: { type: 'segment.seal' },
      events: [{ type: 'segment.sealed' }],
    };
    this.#write(this.#commitOf(draft, version, this.#reader.position.hash));
    return { conflict: this.#reader.position.version };
  }

  /** A seal says nothing about time, so it takes the time of the commit before it. */
  #lastAt(): string {
    return this.#kept[this.#kept.length - 1]?.at ?? new Date().toISOString();
  }
}

function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const fd = openSync(folder, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function unwritable(error: unknown, folder: string): StoreError {
  if (error instanceof StoreError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  const why = isCode(error, 'ENOSPC') || isCode(error, 'EDQUOT') ? 'the disk is full' : (code ?? message);
  return new StoreError(
    'store-read-only',
    `The log in ${folder} cannot be written (${why}); nothing was written.`,
    { folder, cause: code ?? message },
    error,
  );
}
