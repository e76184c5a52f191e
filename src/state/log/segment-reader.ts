import { formatVersion, hashLine, isSeal, malformedField, type ParsedLine, parseLine, sealedEvent } from './codec.ts';
import type { Commit, StoreError } from './commit-log.ts';
import { exists, SegmentFile, segmentName, segmentPath, segmentsIn } from './segment-file.ts';
import { damaged, newerFormat, replaced, type TroublePlace } from './store-trouble.ts';

/** Where a reader stands: right after an accepted line. */
export interface LogPosition {
  /** Random id of the log, '' before the first commit. */
  readonly log: string;
  readonly version: number;
  /** SHA-256 of the last accepted line, '' before the first. */
  readonly hash: string;
  /** Number of the segment, from 1, and in it the offset after the line, in bytes, and its number, from 1. */
  readonly segment: number;
  readonly offset: number;
  readonly line: number;
  /** Whether the line sealed its segment, so that what follows in it is inert. */
  readonly isSealed: boolean;
}

const logStart: LogPosition = {
  log: '',
  version: 0,
  hash: '',
  segment: 1,
  offset: 0,
  line: 0,
  isSealed: false,
};

/**
 * The reader's rule of docs/log-protocol.md: a line is a commit exactly when it is the next version and chains to the
 * last accepted line; any other line is ignored, save where it proves damage. Reading writes nothing.
 */
export class SegmentReader {
  readonly folder: string;
  readonly #knowsEvent: (type: string) => boolean;
  #position: LogPosition = logStart;
  #file: SegmentFile | undefined;
  /** After the last whole line, inert ones included. */
  #offset = 0;
  #line = 0;
  /** Bytes after the last newline, seen by the last read: a write under way, or a torn one. */
  hasTail = false;

  /** @param knowsEvent whether this version can fold events of that kind */
  constructor(folder: string, knowsEvent: (type: string) => boolean) {
    this.folder = folder;
    this.#knowsEvent = (type) => type === sealedEvent || knowsEvent(type);
  }

  get position(): LogPosition {
    return this.#position;
  }

  get path(): string {
    return segmentPath(this.folder, this.#position.segment);
  }

  /** The held segment; undefined while there is none. */
  get file(): SegmentFile | undefined {
    return this.#file;
  }

  /**
   * Calls back with each commit from here to the end as it is now. Throws StoreError at a proof of damage, at a newer
   * format and when the log is no longer the one it was; what came before has been called back with by then.
   */
  read(onCommit: (commit: Commit) => void): void {
    for (;;) {
      if (!this.#file && !this.#open()) return;
      // A next segment is made by who has read the seal of this one. So it proves damage only if it was there before
      // the end of this one was looked for: this process may be stopped for an hour between any two lines.
      const hasNext = this.#hasNext();
      const size = this.#look();
      if (size === undefined) continue;
      if (!this.#position.isSealed && size > this.#offset) this.#readOn(onCommit);
      if (this.#position.isSealed) {
        if (!this.#hasNext()) {
          this.#refuseGap();
          return;
        }
        this.moveOn(SegmentFile.open(segmentPath(this.folder, this.#position.segment + 1)));
      } else {
        if (hasNext) throw this.#unsealed();
        return;
      }
    }
  }

  /** Throws if the path is no longer the file that is held, or has lost what was read from it. */
  check(): void {
    this.#look();
  }

  /**
   * Goes to a position that an earlier reader had, if the log still holds the same commit there; answers whether it
   * does, and stays where it was if not.
   */
  standAt(position: LogPosition): boolean {
    const file = SegmentFile.open(segmentPath(this.folder, position.segment));
    const line = file?.lineBefore(position.offset);
    if (!line || hashLine(line) !== position.hash || parseLine(line)?.version !== position.version) {
      file?.close();
      return false;
    }
    this.hold(file);
    this.#position = position;
    this.#offset = position.offset;
    this.#line = position.line;
    return true;
  }

  /** Holds this file as the segment that it stands in. */
  hold(file: SegmentFile | undefined): void {
    this.#file?.close();
    this.#file = file;
  }

  /** Goes on to the segment after a sealed one. */
  moveOn(file: SegmentFile | undefined): void {
    this.hold(file);
    this.#position = { ...this.#position, segment: this.#position.segment + 1, offset: 0, line: 0, isSealed: false };
    this.#offset = 0;
    this.#line = 0;
    this.hasTail = false;
  }

  close(): void {
    this.hold(undefined);
  }

  #open(): boolean {
    this.#file = SegmentFile.open(this.path);
    if (this.#file) return true;
    if (this.#position.version > 0) throw replaced('is gone', this.#place());
    const [first] = segmentsIn(this.folder);
    if (first === undefined || first === 1) return false;
    throw damaged(`it is missing, but ${segmentName(first)} is there`, this.#place());
  }

  /** The size of the held file; undefined when it was let go of, because nothing was ever read from it. */
  #look(): number | undefined {
    const { size, changed } = (this.#file as SegmentFile).look();
    const how = changed ?? (size < this.#offset ? 'was cut shorter than what was read from it' : undefined);
    if (how === undefined) return size;
    if (this.#position.version > 0) throw replaced(how, this.#place());
    this.close();
    this.#offset = 0;
    this.#line = 0;
    return undefined;
  }

  #readOn(onCommit: (commit: Commit) => void): void {
    this.hasTail = (this.#file as SegmentFile).readLines(this.#offset, (line, end) => {
      if (line) this.#take(line, end, onCommit);
      this.#offset = end;
      this.#line++;
      return !this.#position.isSealed;
    });
  }

  #take(line: Buffer, end: number, onCommit: (commit: Commit) => void): void {
    const parsed = parseLine(line);
    const { version, segment } = this.#position;
    if (!parsed || parsed.version <= version) return;
    const trouble = this.#troubleOf(parsed);
    if (trouble) throw trouble;
    const { commit } = parsed;
    this.#position = {
      log: this.#position.log || (commit.log ?? ''),
      version: parsed.version,
      hash: hashLine(line),
      segment,
      offset: end,
      line: this.#line + 1,
      isSealed: isSeal(commit),
    };
    onCommit(commit);
  }

  /** What a line that is not behind the reader proves, if it is not the next commit. */
  #troubleOf({ version, prev, v, commit }: ParsedLine): StoreError | undefined {
    const last = this.#position;
    const place = () => this.#place(this.#line + 1);
    if (version !== last.version + 1) return damaged(`version ${version} cannot follow ${last.version}`, place());
    if (prev !== last.hash) return damaged(`version ${version} follows another line than ${last.version}`, place());
    if (v !== formatVersion) return newerFormat(`format ${JSON.stringify(v)}`, place());
    const field = malformedField(commit);
    if (field !== undefined) return damaged(`version ${version} has no good ${field}`, place());
    const stranger = commit.features?.[0] ?? commit.events.find(({ type }) => !this.#knowsEvent(type))?.type;
    return stranger === undefined ? undefined : newerFormat(stranger, place());
  }

  /** Segments are made one after the other, so one that stands beyond a missing one proves that it is lost. */
  #refuseGap(): void {
    const { segment } = this.#position;
    const numbers = segmentsIn(this.folder);
    const later = numbers.find((number) => number > segment);
    if (later === undefined || later === segment + 1) return;
    const place = { file: segmentPath(this.folder, segment + 1), lastGoodVersion: this.#position.version };
    throw damaged(`it is missing, but ${segmentName(later)} is there`, place);
  }

  #hasNext(): boolean {
    return exists(segmentPath(this.folder, this.#position.segment + 1));
  }

  #unsealed(): Error {
    const { segment } = this.#position;
    return damaged(`it is not sealed, but ${segmentName(segment + 1)} stands beside it`, this.#place(this.#line));
  }

  #place(line?: number): TroublePlace {
    const { version } = this.#position;
    return { file: this.path, lastGoodVersion: version, ...(line !== undefined && { line }) };
  }
}
