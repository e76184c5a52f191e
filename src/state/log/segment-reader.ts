import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { formatVersion, hashLine, newline, parseLine } from './codec.ts';
import { type Commit, StoreError } from './commit-log.ts';
import { logLimits } from './limits.ts';

/** Where a reader stands: after the last accepted line. */
export interface LogPosition {
  readonly version: number;
  /** Number of the segment, from 1, and the byte offset in it where the next line begins. */
  readonly segment: number;
  readonly offset: number;
  /** SHA-256 of the last accepted line, '' before the first. */
  readonly hash: string;
  /** Whether the last accepted commit sealed this segment, so that what follows in it is inert. */
  readonly isSealed: boolean;
}

/** For reading and appending, never for making: reading writes nothing. */
const appending = constants.O_RDWR | constants.O_APPEND;

export const logStart: LogPosition = { version: 0, segment: 1, offset: 0, hash: '', isSealed: false };

export function segmentName(segment: number): string {
  return `${String(segment).padStart(6, '0')}.jsonl`;
}

/**
 * The reader's rule of the protocol: a line is a commit exactly when it is the next version and chains to the last
 * accepted line; any other line is ignored, save where it proves damage. Reading writes nothing.
 */
export class SegmentReader {
  readonly folder: string;
  readonly #knowsEvent: (type: string) => boolean;
  #position: LogPosition;
  #fd: number | undefined;
  #line = 0;
  /** Bytes after the last newline, seen by the last read: a write under way, or a torn one. */
  hasTail = false;

  constructor(folder: string, knowsEvent: (type: string) => boolean, from: LogPosition = logStart) {
    this.folder = folder;
    this.#knowsEvent = knowsEvent;
    this.#position = from;
  }

  get position(): LogPosition {
    return this.#position;
  }

  get path(): string {
    return join(this.folder, segmentName(this.#position.segment));
  }

  /** The open segment, for the writer; undefined while there is none. */
  get fd(): number | undefined {
    return this.#fd;
  }

  /** All commits from here to the end as it is now, calling back with each as it is accepted. */
  read(onCommit: (commit: Commit) => void): void {
    do {
      if (this.#fd === undefined && !this.#open()) return;
      this.#check();
      if (!this.#position.isSealed) this.#readSegment(onCommit);
      if (!this.#position.isSealed) this.#refuseLaterSegment();
    } while (this.#position.isSealed && this.#moveOn());
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }

  /** Holds a segment that the writer opened or made. */
  hold(fd: number): void {
    this.#fd = fd;
  }

  /** Goes on to the next segment, which the writer has made. */
  moveTo(fd: number): void {
    this.close();
    this.#fd = fd;
    this.#line = 0;
    this.#position = { ...this.#position, segment: this.#position.segment + 1, offset: 0, isSealed: false };
  }

  #open(): boolean {
    try {
      this.#fd = openSync(this.path, appending);
      return true;
    } catch (error) {
      if (isCode(error, 'ENOENT')) return this.#isMissing();
      if (!isCode(error, 'EACCES') && !isCode(error, 'EROFS') && !isCode(error, 'EPERM')) throw error;
      this.#fd = openSync(this.path, 'r');
      return true;
    }
  }

  #isMissing(): false {
    if (this.#position.version === 0) return false;
    throw this.#replaced('is gone');
  }

  /** The path must still be the file that is held, and the file must still hold what was read from it. */
  #check(): void {
    const held = fstatSync(this.#fd as number);
    let there: ReturnType<typeof statSync>;
    try {
      there = statSync(this.path);
    } catch (error) {
      throw isCode(error, 'ENOENT') ? this.#replaced('was deleted') : error;
    }
    if (there.dev !== held.dev || there.ino !== held.ino) throw this.#replaced('was replaced by another file');
    if (held.size < this.#position.offset) throw this.#replaced('was cut shorter than what was read from it');
  }

  /** Throws if the path is no longer the file that was written to. */
  check(): void {
    this.#check();
  }

  #replaced(how: string): StoreError {
    return new StoreError(
      'store-replaced',
      `The log ${this.path} ${how} while this process used it; nothing is written in its place. Run loopx doctor.`,
      { file: this.path, lastGoodVersion: this.#position.version },
    );
  }

  #readSegment(onCommit: (commit: Commit) => void): void {
    let rest = Buffer.alloc(0);
    let from = this.#position.offset;
    const chunk = Buffer.allocUnsafe(logLimits.readBytes);
    for (;;) {
      const count = readSync(this.#fd as number, chunk, 0, chunk.length, from);
      if (count === 0) break;
      from += count;
      const bytes = rest.length === 0 ? chunk.subarray(0, count) : Buffer.concat([rest, chunk.subarray(0, count)]);
      let start = 0;
      for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, start)) {
        this.#take(bytes.subarray(start, end), onCommit);
        start = end + 1;
        if (this.#position.isSealed) return;
      }
      rest = Buffer.from(bytes.subarray(start));
    }
    this.hasTail = rest.length > 0;
  }

  #take(line: Buffer, onCommit: (commit: Commit) => void): void {
    this.#line++;
    const { version, hash } = this.#position;
    const parsed = parseLine(line);
    const offset = this.#position.offset + line.length + 1;
    if (!parsed || parsed.version <= version) {
      this.#position = { ...this.#position, offset };
      return;
    }
    if (parsed.version !== version + 1 || parsed.prev !== hash) throw this.#damaged(parsed.version);
    if (parsed.v !== formatVersion) throw this.#newer(`format ${String(parsed.v)}`);
    const stranger = parsed.commit.events.find((event) => !this.#knowsEvent(event.type));
    if (stranger) throw this.#newer(`event ${stranger.type}`);
    const isSealed = parsed.commit.events.some((event) => event.type === 'segment.sealed');
    this.#position = { ...this.#position, version: parsed.version, offset, hash: hashLine(line), isSealed };
    onCommit(parsed.commit);
  }

  #damaged(version: number): StoreError {
    const { version: last } = this.#position;
    const file = segmentName(this.#position.segment);
    return new StoreError(
      'store-damaged',
      `The log is damaged at ${file} line ${this.#line}: it holds version ${version}, which does not follow the last good version ${last}. Nothing is written over it; loopx doctor explains, loopx log repair mends a copy.`,
      { file: this.path, line: this.#line, lastGoodVersion: last, version },
    );
  }

  #newer(what: string): StoreError {
    return new StoreError(
      'newer-format',
      `The log holds ${what}, written by a newer loopx; this one can read it only up to version ${this.#position.version} and writes nothing. Update loopx-mcp.`,
      { file: this.path, line: this.#line, lastGoodVersion: this.#position.version },
    );
  }

  #refuseLaterSegment(): void {
    const next = join(this.folder, segmentName(this.#position.segment + 1));
    if (!exists(next)) return;
    throw new StoreError(
      'store-damaged',
      `The log is damaged: ${segmentName(this.#position.segment + 1)} stands beside ${segmentName(this.#position.segment)}, which is not sealed. Last good version ${this.#position.version}.`,
      { file: this.path, lastGoodVersion: this.#position.version },
    );
  }

  #moveOn(): boolean {
    const next = join(this.folder, segmentName(this.#position.segment + 1));
    if (!exists(next)) return false;
    this.moveTo(openSync(next, appending));
    return true;
  }
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

export function isCode(error: unknown, code: string): boolean {
  return (error as NodeJS.ErrnoException | undefined)?.code === code;
}
