import type { PresenceRecord } from './presence-record.ts';
import { groupExists, type ProcessIdentity, processState } from './process-identity.ts';

type Standing = 'alive' | 'dead' | 'unknown';

export interface StandingSeen {
  readonly standing: Standing;
  /** A clause for people: "its process 4711 is gone". */
  readonly why: string;
}

export interface AgentSight extends StandingSeen {
  readonly isIdle: boolean;
  readonly lastActivityAt?: number | undefined;
  readonly beat?: number | undefined;
  readonly beatAt?: number | undefined;
  readonly host?: string | undefined;
  readonly pid?: number | undefined;
  readonly hostSession?: string | undefined;
}

export interface Sight extends StandingSeen {
  /** What is seen of an agent in that session; for an agent the record does not name, the session's standing, idle. */
  of(agent: string): AgentSight;
  readonly agents: readonly string[];
}

/**
 * What is seen of a session now. `nowMs` is the wall clock, `idleAfterS` seconds without a tool call make an agent
 * idle. The one who looks must be named by `self`, because a pid means something only to its own boot and namespace.
 */
export function sight(
  record: PresenceRecord | undefined,
  nowMs: number,
  idleAfterS: number,
  self: ProcessIdentity,
): Sight {
  const seen = standingOf(record, self);
  return {
    ...seen,
    agents: record === undefined ? [] : Object.keys(record.agents),
    of(agent) {
      if (record === undefined) return { ...seen, isIdle: true };
      const { host, hostSession, identity } = record;
      const known = { ...seen, host, hostSession, pid: identity.pid };
      const presence = Object.hasOwn(record.agents, agent) ? record.agents[agent] : undefined;
      if (presence === undefined) return { ...known, isIdle: true };
      return { ...known, ...presence, isIdle: nowMs - presence.lastActivityAt > idleAfterS * 1000 };
    },
  };
}

/** Dead only on proof; where the proof cannot be had the answer is unknown, and then a claim's ttl alone decides. */
export function standingOf(record: PresenceRecord | undefined, self: ProcessIdentity): StandingSeen {
  if (record === undefined) return { standing: 'unknown', why: 'nothing is known of its session' };
  if (record.kind === 'cli') return { standing: 'unknown', why: 'a command-line call has no process that lasts' };
  if (record.endedAt !== undefined) return { standing: 'dead', why: 'its session ended' };
  const { pid, pidNamespace, startTime, bootId } = record.identity;
  if (bootId !== self.bootId) return { standing: 'unknown', why: 'it ran before a restart or on another machine' };
  if (pidNamespace !== self.pidNamespace) return { standing: 'unknown', why: 'it runs in another container' };
  // Whoever looks is there: most calls look at the session of their own process, and need not ask the system.
  if (startTime !== undefined && pid === self.pid && startTime === self.startTime) {
    return { standing: 'alive', why: `its process ${pid} runs` };
  }
  const state = processState(pid);
  if (record.kind === 'guard' && !state.exists && groupExists(pid)) {
    return { standing: 'alive', why: `processes of its group ${pid} still run` };
  }
  if (!state.exists) return { standing: 'dead', why: `its process ${pid} is gone` };
  if (startTime === undefined || state.startTime === undefined) {
    return { standing: 'unknown', why: `process ${pid} exists, but not to be told whether it is the same one` };
  }
  return startTime === state.startTime
    ? { standing: 'alive', why: `its process ${pid} runs` }
    : { standing: 'dead', why: `its process is gone, ${pid} is another one now` };
}
