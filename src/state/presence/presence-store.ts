import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makeStateDir } from '../workspace/state-dir.ts';
import type { Presence } from './presence.ts';
import { type PresenceRecord, presenceRecordSchema } from './presence-record.ts';
import type { ProcessIdentity } from './process-identity.ts';
import { prunePresence } from './prune.ts';
import { readJson, writeJson } from './small-json.ts';

const pruneEveryMs = 6 * 3_600_000;
const knownMax = 1_000;

/**
 * Who is there, beside the log: `<stateDir>/presence/<session>.json`, one small file a session. It is never the truth
 * about a claim, only what was last seen of its holder. Reading writes nothing and never throws.
 */
export class PresenceStore implements Presence {
  readonly folder: string;
  readonly self: ProcessIdentity;
  readonly #stateDir: string;
  #prunedAtMs = Number.NEGATIVE_INFINITY;
  /** What was read last of each session, for as long as its file is the same: every write makes a new one. */
  readonly #known = new Map<string, { readonly file: string; readonly record: PresenceRecord | undefined }>();

  constructor(stateDir: string, self: ProcessIdentity) {
    this.#stateDir = stateDir;
    this.folder = join(stateDir, 'presence');
    this.self = self;
  }

  /** Keeps a session's record, making the state folder if need be; false when it cannot be written. */
  write(record: PresenceRecord): boolean {
    assert(isSessionName(record.session), 'a session is named by letters, digits, - and _');
    if (!makeStateDir(this.#stateDir)) return false;
    const isWritten = writeJson(this.#path(record.session), record);
    const nowMs = performance.now();
    if (isWritten && nowMs - this.#prunedAtMs >= pruneEveryMs) {
      this.#prunedAtMs = nowMs;
      prunePresence(this, Date.now());
    }
    return isWritten;
  }

  /** Marks a session as cleanly ended at `nowMs`; one that was never written stays unwritten. */
  end(session: string, nowMs: number): boolean {
    const record = this.read(session);
    return record === undefined ? false : this.write({ ...record, endedAt: record.endedAt ?? nowMs });
  }

  /** The session's record, or undefined when there is none that can be read and trusted to be its own. */
  read(session: string): PresenceRecord | undefined {
    if (!isSessionName(session)) return undefined;
    const path = this.#path(session);
    const file = fileAt(path);
    if (file === undefined) return undefined;
    const known = this.#known.get(session);
    if (known?.file === file) return known.record;
    const found = readJson(path, presenceRecordSchema);
    const record = found?.session === session ? found : undefined;
    if (this.#known.size >= knownMax) this.#known.clear();
    this.#known.set(session, { file, record });
    return record;
  }

  /** All readable records, in order of session. */
  list(): readonly PresenceRecord[] {
    let names: string[];
    try {
      names = readdirSync(this.folder);
    } catch {
      return [];
    }
    const sessions = names.filter((name) => name.endsWith('.json') && !name.startsWith('.')).sort();
    return sessions.flatMap((name) => this.read(name.slice(0, -'.json'.length)) ?? []);
  }

  #path(session: string): string {
    return join(this.folder, `${session}.json`);
  }
}

/** What tells one file at that path from another, and from itself written over; undefined where nothing is. */
function fileAt(path: string): string | undefined {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
    return `${ino} ${size} ${mtimeNs} ${ctimeNs}`;
  } catch {
    return undefined;
  }
}

function isSessionName(session: string): boolean {
  return /^[A-Za-z0-9_-]{1,128}$/.test(session);
}
