import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What came from outside is read field by field; what is not of the expected shape derives to nothing. */
// biome-ignore lint/suspicious/noExplicitAny: this reader trusts no type of the code it checks
export type Raw = any;

export interface AuditCommit {
  readonly version: number;
  /** SHA-256 of the line before. */
  readonly prev: string;
  readonly at: string;
  readonly by: Raw;
  readonly events: readonly Raw[];
  readonly log?: string;
}

export interface LogReading {
  readonly commits: readonly AuditCommit[];
  /** SHA-256 (hex) of the last accepted line; whoever has noted it down can tell later that nothing before it changed. */
  readonly head: string;
  /** Lines that are no commits: torn ones, and those of writers that came second. */
  readonly inert: number;
  /** Whether it was read from files, and not from what a store says its commits are. */
  readonly isFromFiles: boolean;
  /** What is wrong with the bytes, if anything; then the commits are those before it. */
  readonly damage?: string;
}

/**
 * The reader's rule of docs/log-protocol.md, written once more: a line is a commit exactly when it is the next version
 * and chains to the last accepted line; any other is inert, save where it proves damage. Only reads.
 *
 * @param folder that of the segments 000001.jsonl, 000002.jsonl …
 */
export function readLog(folder: string): LogReading {
  const chain = new Chain(true);
  for (let segment = 1; ; segment++) {
    // Looked at before the segment is read, for the next one may be made, after a seal, at any moment.
    const later = segmentsFrom(folder, segment);
    if (later[0] !== undefined && later[0] !== segment) chain.damage = `${segmentName(segment)} is missing`;
    if (later[0] !== segment) return chain.reading();
    const name = segmentName(segment);
    chain.segment(name, readFileSync(join(folder, name)));
    if (chain.damage !== undefined) return chain.reading();
    if (!chain.isSealed && later.length > 1) {
      chain.damage = `${segmentName(later[1] as number)} stands beside ${name}, which is not sealed`;
      return chain.reading();
    }
  }
}

/** The numbers of the segments that are there, from this one on. */
function segmentsFrom(folder: string, first: number): readonly number[] {
  let names: readonly string[] = [];
  try {
    names = readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const numbers = names.flatMap((name) => (/^\d{6,}\.jsonl$/.test(name) ? [Number.parseInt(name, 10)] : []));
  return numbers.filter((number) => number >= first).sort((a, b) => a - b);
}

/** Commits that a store without files gave: their lines are made again, and must chain all the same. */
export function readGiven(commits: readonly unknown[]): LogReading {
  const chain = new Chain(false);
  for (const commit of commits) {
    chain.line(`the store's commit ${chain.version + 1}`, Buffer.from(JSON.stringify(commit)));
    if (chain.damage !== undefined) break;
  }
  return chain.reading();
}

function segmentName(segment: number): string {
  return `${String(segment).padStart(6, '0')}.jsonl`;
}

class Chain {
  readonly commits: AuditCommit[] = [];
  damage: string | undefined;
  isSealed = false;
  readonly #isFromFiles: boolean;
  #head = '';
  #inert = 0;

  constructor(isFromFiles: boolean) {
    this.#isFromFiles = isFromFiles;
  }

  get version(): number {
    return this.commits.length;
  }

  reading(): LogReading {
    const { commits, damage } = this;
    const rest = { head: this.#head, inert: this.#inert, isFromFiles: this.#isFromFiles };
    return { commits, ...rest, ...(damage !== undefined && { damage }) };
  }

  /** The lines of one file, up to a seal; what follows the last newline is not there yet. */
  segment(name: string, bytes: Buffer): void {
    this.isSealed = false;
    let from = 0;
    for (let number = 1; !this.isSealed && this.damage === undefined; number++) {
      const end = bytes.indexOf(0x0a, from);
      if (end < 0) return;
      this.line(`${name} line ${number}`, bytes.subarray(from, end));
      from = end + 1;
    }
  }

  line(place: string, bytes: Buffer): void {
    const commit = parsed(bytes);
    if (!commit || commit.version <= this.version) {
      this.#inert++;
      return;
    }
    if (commit.version !== this.version + 1 || commit.prev !== this.#head) {
      this.damage = `${place} holds version ${commit.version}, which does not follow version ${this.version}`;
    } else if (commit.v !== 1 || (commit.features ?? []).length > 0) {
      this.damage = `${place} is of a format this audit does not know`;
    } else if (!isWhole(commit)) {
      this.damage = `${place} lacks fields that every commit has`;
    } else {
      this.#head = createHash('sha256').update(bytes).digest('hex');
      this.commits.push(commit);
      this.isSealed = commit.events.length === 1 && commit.events[0].type === 'segment.sealed';
    }
  }
}

function isWhole({ version, id, at, by, command, events, log }: Raw): boolean {
  const hasTexts = typeof id === 'string' && !Number.isNaN(Date.parse(at)) && (version > 1 || typeof log === 'string');
  const isEvents = Array.isArray(events) && events.every((event) => typeof event?.type === 'string');
  return hasTexts && isEvents && typeof by === 'object' && by !== null && typeof command === 'object';
}

/** Longer lines are inert, whatever they hold. */
const lineBytesMax = 262_144 - 1;
// A byte order mark is no JSON, so it must not be taken away.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function parsed(line: Buffer): Raw {
  if (line.length > lineBytesMax) return undefined;
  try {
    const value = JSON.parse(utf8.decode(line));
    return Number.isSafeInteger(value?.version) && typeof value.prev === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
