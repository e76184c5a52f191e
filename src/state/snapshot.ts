import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DataFileSync } from 'lowdb/node';
import { nanoid } from 'nanoid';
import { version } from '../version.ts';
import { eventTypeNames } from './kernel/event-types.ts';
import { initialState, type State } from './kernel/state.ts';
import { stateFromJson } from './kernel/state-json.ts';
import type { FileLog } from './log/file-log.ts';
import type { LogPosition } from './log/segment-reader.ts';

/** Raise it when the kernel folds the same events into another state. */
const foldRevision = 2;
/** A snapshot is taken when the fold is so many commits past the last one. */
const commitsBetween = 1_000;
/** A larger file is not looked at; it only saves time. */
const bytesMax = 512 * 1024 * 1024;

/** Of what made the fold: a state of another kernel is not this one's. */
const kernelFingerprint = sha256(JSON.stringify([version, foldRevision, eventTypeNames, initialState()]));

interface Snapshot {
  readonly position: LogPosition;
  readonly kernel: string;
  readonly state: unknown;
}

/**
 * The folded state beside the log, so that opening a long log is quick. It is only a cache: it is believed when the log
 * holds its commit in its place and the same kernel folded it, and deleting it loses nothing. What it does prove is
 * that the log once had that version.
 */
export class SnapshotKeeper {
  readonly #stateDir: string;
  readonly #log: FileLog;
  readonly #commitsBetween: number;
  #version = 0;

  constructor(stateDir: string, log: FileLog, between = commitsBetween) {
    this.#stateDir = stateDir;
    this.#log = log;
    this.#commitsBetween = between;
  }

  /** The state at which the log goes on; undefined, at the least doubt, for a fold from the first commit. */
  load(): State | undefined {
    const snapshot = this.#read();
    if (!snapshot) return undefined;
    const { position, kernel, state } = snapshot;
    this.#version = position.version;
    if (kernel !== kernelFingerprint) {
      this.#log.mustReach(position);
      return undefined;
    }
    return this.#log.standAt(position) ? stateFromJson(state) : undefined;
  }

  /** Keeps this state if it is time for it, and if the log stands there and is on the disk. Never throws. */
  offer(state: State): void {
    if (state.version - this.#version < this.#commitsBetween) return;
    const { position, isSynced } = this.#log;
    if (position.version !== state.version || !isSynced) return;
    this.#version = Math.max(this.#keptVersion(), this.#version);
    if (state.version - this.#version < this.#commitsBetween) return;
    this.#version = state.version;
    this.#write({ position, kernel: kernelFingerprint, state });
  }

  get #path(): string {
    return join(this.#stateDir, 'snapshot.json');
  }

  #read(): Snapshot | undefined {
    try {
      if (statSync(this.#path).size > bytesMax) return undefined;
      return snapshotFile(this.#path).read() ?? undefined;
    } catch {
      return undefined;
    }
  }

  /** Written to a name of its own and renamed: others see the old one or the new one, and writers never share a file. */
  #write(snapshot: Snapshot): void {
    const own = join(this.#stateDir, `snapshot-${nanoid()}.json`);
    try {
      snapshotFile(own).write(snapshot);
      renameSync(own, this.#path);
    } catch {
      rmSync(own, { force: true });
    }
  }

  /** The version of the snapshot that is there, which another process may have taken; 0 where there is none. */
  #keptVersion(): number {
    const head = Buffer.alloc(400);
    try {
      const fd = openSync(this.#path, 'r');
      try {
        readSync(fd, head, 0, head.length, 0);
      } finally {
        closeSync(fd);
      }
    } catch {
      return 0;
    }
    return Number(/"version":(\d+)/.exec(head.toString('latin1'))?.[1] ?? 0);
  }
}

const checked = '{"sha256":"';
const digits = 64;

/** One JSON document that begins with the hash of the rest of it. */
function snapshotFile(path: string): DataFileSync<Snapshot> {
  return new DataFileSync<Snapshot>(path, {
    stringify: (snapshot) => {
      const rest = JSON.stringify(snapshot).slice(1);
      return `${checked}${sha256(rest)}",${rest}`;
    },
    parse: (text) => {
      const rest = text.slice(checked.length + digits + 2);
      if (sha256(rest) !== text.slice(checked.length, checked.length + digits)) throw new Error('damaged snapshot');
      return JSON.parse(text);
    },
  });
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
