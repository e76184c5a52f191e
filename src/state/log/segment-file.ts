import { closeSync, constants, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { newline } from './codec.ts';
import { logLimits } from './limits.ts';
import { isCode } from './store-trouble.ts';

const { O_RDWR, O_RDONLY, O_APPEND, O_CREAT } = constants;
/** A link in the place of a segment is not followed: a repository may carry one to anywhere. Windows has no such flag. */
const noFollow = constants.O_NOFOLLOW ?? 0;

/** One open segment. The file is held, so that it is noticed when another one takes its path. */
export class SegmentFile {
  readonly path: string;
  readonly fd: number;
  /** Why it could be opened only for reading, if so. */
  readonly readOnlyCause: unknown;
  readonly #chunk = Buffer.allocUnsafe(logLimits.readBytes);

  private constructor(path: string, fd: number, readOnlyCause?: unknown) {
    this.path = path;
    this.fd = fd;
    this.readOnlyCause = readOnlyCause;
  }

  /** Opens what is there, and makes nothing; undefined where nothing is. */
  static open(path: string): SegmentFile | undefined {
    try {
      return SegmentFile.#plain(path, openSync(path, O_RDWR | O_APPEND | noFollow));
    } catch (error) {
      if (isCode(error, 'ENOENT')) return undefined;
      if (!isCode(error, 'EACCES', 'EROFS', 'EPERM')) throw error;
      return SegmentFile.#plain(path, openSync(path, O_RDONLY | noFollow), error);
    }
  }

  /** Opens the segment for writing and makes it where it is not there yet. */
  static make(path: string): SegmentFile {
    return SegmentFile.#plain(path, openSync(path, O_RDWR | O_APPEND | O_CREAT | noFollow, 0o600));
  }

  static #plain(path: string, fd: number, readOnlyCause?: unknown): SegmentFile {
    if (fstatSync(fd).isFile()) return new SegmentFile(path, fd, readOnlyCause);
    closeSync(fd);
    throw Object.assign(new Error(`${path} is not a file`), { code: 'EINVAL' });
  }

  close(): void {
    closeSync(this.fd);
  }

  /** How many bytes the file has, and what became of its path. */
  look(): { readonly size: number; readonly changed?: string } {
    const held = fstatSync(this.fd);
    const there = statSync(this.path, { throwIfNoEntry: false });
    const { size } = held;
    if (there === undefined) return { size, changed: 'was deleted' };
    if (there.dev !== held.dev || there.ino !== held.ino) return { size, changed: 'was replaced by another file' };
    return { size };
  }

  /**
   * Calls back with each whole line from that offset to the end as it is now, and with the offset after it; a line too
   * long for a commit comes as undefined. Stops early when the callback answers false.
   * @returns whether bytes without a newline follow: a write under way, or a torn one
   */
  readLines(offset: number, take: (line: Buffer | undefined, end: number) => boolean): boolean {
    let from = offset;
    let isInLongLine = false;
    for (;;) {
      const count = readSync(this.fd, this.#chunk, 0, this.#chunk.length, from);
      const bytes = this.#chunk.subarray(0, count);
      let start = 0;
      for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, start)) {
        const isLong = isInLongLine || end - start >= logLimits.commitBytesMax;
        isInLongLine = false;
        const line = isLong ? undefined : bytes.subarray(start, end);
        start = end + 1;
        if (!take(line, from + start)) return false;
      }
      if (count < this.#chunk.length) return isInLongLine || start < count;
      // What a full chunk ends with is read again with what follows, unless it is too long to be a commit at all.
      if (start === 0) isInLongLine = true;
      from += start === 0 ? count : start;
    }
  }

  /** The last whole line before that offset; undefined where the offset is not the end of a line. */
  lineBefore(offset: number): Buffer | undefined {
    const from = Math.max(0, offset - logLimits.commitBytesMax - 1);
    const count = readSync(this.fd, this.#chunk, 0, offset - from, from);
    if (count !== offset - from || this.#chunk[count - 1] !== newline) return undefined;
    const start = count < 2 ? -1 : this.#chunk.lastIndexOf(newline, count - 2);
    return this.#chunk.subarray(start + 1, count - 1);
  }
}

export function segmentName(segment: number): string {
  return `${String(segment).padStart(6, '0')}.jsonl`;
}

export function segmentPath(folder: string, segment: number): string {
  return join(folder, segmentName(segment));
}

/** The numbers of the segments in a folder, in order; none where there is no folder. */
export function segmentsIn(folder: string): readonly number[] {
  let names: readonly string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return [];
    throw error;
  }
  return names.flatMap((name) => (/^\d{6,}\.jsonl$/.test(name) ? Number.parseInt(name, 10) : [])).sort((a, b) => a - b);
}

export function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
