import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { nanoid } from 'nanoid';
import { encodeLine, sealedEvent } from './codec.ts';
import type { AppendResult, Commit, CommitDraft, CommitLog, StoreHealth } from './commit-log.ts';
import { StoreError } from './commit-log.ts';
import { Durability } from './durability.ts';
import type { Faults } from './faults.ts';
import { logLimits } from './limits.ts';
import { watchFolder } from './log-watch.ts';
import { tooLarge } from './memory-log.ts';
import type { SegmentFile } from './segment-file.ts';
import { makeSegment } from './segment-maker.ts';
import { type LogPosition, SegmentReader } from './segment-reader.ts';
import { checkStoreFolder } from './store-folder.ts';
import { damaged, outcomeUnknown, unreadable, unwritable } from './store-trouble.ts';

export interface FileLogOptions {
  /** The workspace's state folder; the log lies in `log/` there. Made with the first append. */
  readonly stateDir: string;
  /** Whether this version can fold events of that kind; an unknown one makes the log read-only. */
  readonly knowsEvent?: (type: string) => boolean;
  /** A segment that has grown to this many bytes is sealed. */
  readonly segmentBytesMax?: number;
  readonly faults?: Faults;
}

/** The file store: compare-and-append to segments of lines, no lock. Opening writes nothing. See docs/log-protocol.md. */
export function openFileLog(options: FileLogOptions): FileLog {
  return new FileLog(options);
}

export class FileLog implements CommitLog {
  readonly #options: FileLogOptions;
  readonly #folder: string;
  readonly #reader: SegmentReader;
  readonly #durability: Durability;
  /** The latest commits, up to the reader's version. */
  #kept: Commit[] = [];
  /** A position that a snapshot claims for this log and the log does not have. */
  #claimed: LogPosition | undefined;
  #isFolderChecked = false;

  constructor(options: FileLogOptions) {
    this.#options = options;
    this.#folder = join(options.stateDir, 'log');
    this.#reader = new SegmentReader(this.#folder, options.knowsEvent ?? (() => true));
    this.#durability = new Durability(options.stateDir, options.faults);
  }

  /** Where this process has read to. */
  get position(): LogPosition {
    return this.#reader.position;
  }

  /** Whether all of it is known to be on the disk: only then may a snapshot be taken of it. */
  get isSynced(): boolean {
    return this.#durability.syncedVersion >= this.#reader.position.version;
  }

  /**
   * Goes on from where a snapshot left off instead of reading from the start; answers false, and changes nothing, where
   * the log does not hold that commit in that place. To be asked before anything else.
   */
  standAt(position: LogPosition): boolean {
    let stands = false;
    try {
      stands = this.#reader.standAt(position);
    } catch {
      // What cannot be read is told by the first read.
    }
    if (stands) this.#durability.syncedVersion = position.version;
    else this.mustReach(position);
    return stands;
  }

  /** Holds it for proof of damage if this log ends before a position that it once had. */
  mustReach(position: LogPosition): void {
    this.#claimed = position;
  }

  /** What is good comes first, and the trouble when nothing good is left to tell. */
  async read(afterVersion: number): Promise<readonly Commit[]> {
    const trouble = this.#catchUp();
    const isGoodBefore = trouble === undefined || trouble.code === 'store-damaged' || trouble.code === 'newer-format';
    const commits = isGoodBefore ? this.#since(afterVersion) : [];
    if (trouble && commits.length === 0) throw trouble;
    this.#forget();
    return commits;
  }

  async append(draft: CommitDraft, expectedVersion: number): Promise<AppendResult> {
    const startedAt = performance.now();
    for (let tries = 0; ; tries++) {
      const trouble = this.#catchUp() ?? this.#whyUnwritable();
      if (trouble) throw trouble;
      const { version } = this.#reader.position;
      if (version !== expectedVersion) return { conflict: version };
      this.#forget();
      const commit = this.#commitOf(draft);
      const line = encodeLine(commit);
      if (line.length > logLimits.commitBytesMax) throw tooLarge(line.length);
      // A segment that was just made or found is read before it is written to.
      if (this.#goToWritable()) continue;
      const result = this.#tryOnce(commit, line);
      if (result) {
        this.#sealWhenFull();
        return result;
      }
      if (performance.now() - startedAt > logLimits.retryMsMax) {
        const message = 'The log took no whole line for 5 s; nothing was written. Try again.';
        throw new StoreError('store-busy', message, { version });
      }
      const pauseMs = Math.random() * Math.min(logLimits.retryPauseMsMax, 2 ** tries);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }

  async sync(): Promise<void> {
    this.#makeDurable();
  }

  watch(onChange: () => void): () => void {
    return watchFolder(this.#folder, onChange);
  }

  /** Costs a few calls of stat, for it is asked with every question about quota. */
  async health(): Promise<StoreHealth> {
    const trouble = this.#catchUp() ?? this.#whyUnwritable();
    const { version, log } = this.#reader.position;
    return {
      store: 'file',
      where: this.#folder,
      version,
      ...(log !== '' && { log }),
      ...(trouble && { problem: { code: trouble.code, message: trouble.message } }),
    };
  }

  async close(): Promise<void> {
    this.#reader.close();
  }

  /** Reads to the end as it is now; answers what keeps it from reading further. */
  #catchUp(): StoreError | undefined {
    try {
      this.#reader.read((commit) => this.#kept.push(commit));
    } catch (error) {
      return unreadable(error, this.#folder);
    }
    const { version, log } = this.#reader.position;
    const claimed = this.#claimed;
    if (!claimed || version >= claimed.version || (log !== '' && log !== claimed.log)) return undefined;
    const place = { file: this.#reader.path, lastGoodVersion: version };
    return damaged(
      `it ends at version ${version}, but a snapshot was taken of its version ${claimed.version} (if the log was taken back on purpose, remove snapshot.json beside it too)`,
      place,
    );
  }

  /** Lets go of commits that have been told, but for a few. */
  #forget(): void {
    if (this.#kept.length > 2 * logLimits.keptCommits) this.#kept = this.#kept.slice(-logLimits.keptCommits);
  }

  #since(afterVersion: number): readonly Commit[] {
    const { version } = this.#reader.position;
    const first = version - this.#kept.length;
    if (afterVersion >= first) return this.#kept.slice(afterVersion - first);
    const commits: Commit[] = [];
    const reader = new SegmentReader(this.#folder, this.#options.knowsEvent ?? (() => true));
    try {
      reader.read((commit) => {
        if (commit.version > afterVersion && commit.version <= version) commits.push(commit);
      });
    } catch (error) {
      // What this reader stopped at, the one that follows the log stops at too, or has been past before it came.
      if (commits[commits.length - 1]?.version !== version) throw unreadable(error, this.#folder);
    } finally {
      reader.close();
    }
    return commits;
  }

  #whyUnwritable(): StoreError | undefined {
    const { file, position } = this.#reader;
    try {
      if (!this.#isFolderChecked) checkStoreFolder(this.#options.stateDir);
      this.#isFolderChecked = file !== undefined;
      if (file?.readOnlyCause) return unwritable(file.readOnlyCause, this.#folder);
      return this.#durability.failure(position.version);
    } catch (error) {
      return unwritable(error, this.#folder);
    }
  }

  /** Makes the segment to write to, where the log begins or the last one is sealed; answers whether it had to. */
  #goToWritable(): boolean {
    const { file, position } = this.#reader;
    if (file && !position.isSealed) return false;
    try {
      // A sealed segment is on the disk before its successor exists.
      if (file) this.#makeDurable();
      if (file) this.#reader.moveOn(this.#make(position.segment + 1));
      else this.#reader.hold(this.#make(1));
      return true;
    } catch (error) {
      // Of this commit nothing is written yet, so a failed sync is no unknown outcome for it.
      throw this.#durability.failure(position.version) ?? unwritable(error, this.#folder);
    }
  }

  #make(segment: number): SegmentFile {
    return makeSegment(this.#options.stateDir, segment);
  }

  /** Writes one line and reads back what the log made of it; undefined when the line was torn and nobody was faster. */
  #tryOnce(commit: Commit, line: Buffer): AppendResult | undefined {
    const writeError = this.#write(line);
    const trouble = this.#catchUp();
    const { version } = this.#reader.position;
    const winner = this.#kept[this.#kept.length - 1 - (version - commit.version)];
    if (version < commit.version || winner === undefined) {
      // Where the log cannot be read back, nobody can say that nothing was written, whatever the write said.
      if (trouble?.code === 'store-read-only') throw outcomeUnknown('could not be read back', version, trouble);
      if (trouble) throw trouble;
      if (writeError) throw unwritable(writeError, this.#folder);
      return undefined;
    }
    if (winner.id !== commit.id) return { conflict: version };
    this.#makeDurable();
    this.#reader.check();
    return { appended: winner };
  }

  #commitOf(draft: CommitDraft): Commit {
    const { version, hash } = this.#reader.position;
    const { id, at, by, command, events } = draft;
    const log = version === 0 ? { log: nanoid(), features: [] } : {};
    return { v: 1, version: version + 1, prev: hash, ...log, id, at, by, command, events };
  }

  /** One write; whether the line came in whole is for the reading to say, whatever the system answers. */
  #write(line: Buffer): unknown {
    // With more than a newline before it, a torn line can never become valid by being ended here.
    const bytes = this.#reader.hasTail ? Buffer.concat([Buffer.from('!\n'), line]) : line;
    const { faults } = this.#options;
    try {
      const { fd, path } = this.#reader.file as SegmentFile;
      faults?.at('before-write', path);
      writeSync(fd, bytes, 0, faults?.shortWrite?.(bytes.length) ?? bytes.length);
      faults?.at('after-write', path);
      return undefined;
    } catch (error) {
      return error;
    }
  }

  #makeDurable(): void {
    const { file, position } = this.#reader;
    if (file) this.#durability.sync(file, position);
  }

  /**
   * Ends a segment that has grown enough by a commit of its own. It comes after a commit, not before one, so that no
   * caller gets a conflict for a reason of the log's. Whether it comes off does not matter: the next one tries again.
   */
  #sealWhenFull(): void {
    const { offset, isSealed } = this.#reader.position;
    if (isSealed || offset < (this.#options.segmentBytesMax ?? logLimits.segmentBytesMax)) return;
    try {
      this.#options.faults?.at('at-seal', this.#reader.path);
      // A seal says nothing about time, so it takes that of the commit before it.
      const at = (this.#kept[this.#kept.length - 1] as Commit).at;
      const draft = { id: nanoid(), at, by: { log: 'loopx' }, command: { type: 'segment.seal' } };
      this.#write(encodeLine(this.#commitOf({ ...draft, events: [{ type: sealedEvent }] })));
    } catch {
      // The commit before it is safe, and that is what was asked for.
    }
  }
}
