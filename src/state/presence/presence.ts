import type { PresenceRecord } from './presence-record.ts';
import type { ProcessIdentity } from './process-identity.ts';
import { standingOf } from './sight.ts';

/** Who is there, beside the log; kept in files of the workspace, or in the team's database. */
export interface Presence {
  readonly self: ProcessIdentity;
  /** Keeps a session's record; false when it cannot be written. */
  write(record: PresenceRecord): boolean;
  /** Marks a session as cleanly ended at `nowMs`. */
  end(session: string, nowMs: number): boolean;
  read(session: string): PresenceRecord | undefined;
  list(): readonly PresenceRecord[];
  /** Where records are kept away from this machine: brings in those of others, and sends out what was written. */
  refresh?(): Promise<void>;
  flush?(): Promise<void>;
}

/** The server session of that host session id that is not known to be over; of several the last active. */
export function findByHostSession(presence: Presence, hostSession: string): PresenceRecord | undefined {
  return findServer(presence, (record) => record.hostSession === hostSession);
}

/** The same by LOOPX_SESSION: a session's own name, or the name its server was started with. */
export function findByLoopxSession(presence: Presence, name: string): PresenceRecord | undefined {
  return findServer(presence, (record) => record.session === name || record.loopxSession === name);
}

function findServer(presence: Presence, isMeant: (record: PresenceRecord) => boolean): PresenceRecord | undefined {
  return presence
    .list()
    .filter(
      (record) => record.kind === 'mcp' && isMeant(record) && standingOf(record, presence.self).standing !== 'dead',
    )
    .sort((a, b) => lastActivityAt(b) - lastActivityAt(a))[0];
}

function lastActivityAt(record: PresenceRecord): number {
  return Math.max(0, ...Object.values(record.agents).map((agent) => agent.lastActivityAt));
}
