import type { Seen, Sighting } from '../../src/state/kernel/commands.ts';
import type { State } from '../../src/state/kernel/state.ts';

const idleAfterS = 3_600;

/** What can be seen of one session: a process, its heartbeat and when its agent last called. */
interface Presence {
  isAlive: boolean;
  /** Another boot or another container: nothing can be known of it. */
  readonly isStranger: boolean;
  beat: number;
  beatAt: number;
  activeAt: number;
}

/** The world outside the log: the true time, presences, files. Nothing in it is known to the kernel but by sightings. */
export class SimulatedWorld {
  /** True time, ms; each process reads it through a clock of its own. */
  now = Date.parse('2030-01-01T00:00:00Z');
  readonly files: { [path: string]: string | null } = {};
  readonly presences = new Map<string, Presence>();

  appear(session: string, isStranger: boolean, wall: number): void {
    this.presences.set(session, { isAlive: true, isStranger, beat: 0, beatAt: wall, activeAt: wall });
  }

  /** The heartbeat of a process that runs; it says nothing for an agent that has long been idle. */
  beat(session: string, wall: number): void {
    const presence = this.presences.get(session);
    if (!presence || wall - presence.activeAt > idleAfterS * 1_000) return;
    presence.beat++;
    presence.beatAt = wall;
  }

  act(session: string, wall: number): void {
    const presence = this.presences.get(session);
    if (presence) presence.activeAt = wall;
  }

  end(session: string): void {
    const presence = this.presences.get(session);
    if (presence) presence.isAlive = false;
  }

  /** Everybody's session as a process with this clock and this watch sees it. */
  see(state: State, wall: number, watch: Watch): Seen['sessions'] {
    const seen: { [key: string]: Sighting } = {};
    for (const { agent, session } of state.agents.values()) {
      const presence = this.presences.get(session);
      if (!presence || presence.isStranger) continue;
      seen[`${session}/${agent}`] = {
        standing: presence.isAlive ? 'alive' : 'dead',
        isIdle: wall - presence.activeAt > idleAfterS * 1_000,
        beatAt: presence.beatAt,
        lastActivityAt: presence.activeAt,
        ...watch.observe(session, presence.beat, this.now),
      };
    }
    return seen;
  }
}

/** How long each heartbeat has stood still under the eyes of one process, by a clock that never jumps. */
export class Watch {
  readonly #since = new Map<string, { beat: number; at: number }>();

  observe(session: string, beat: number, at: number): Pick<Sighting, 'hasStoodStill' | 'watchLeftS'> {
    const known = this.#since.get(session);
    if (known?.beat !== beat) this.#since.set(session, { beat, at });
    const stoodMs = known?.beat === beat ? at - known.at : 0;
    return stoodMs >= 30_000 ? { hasStoodStill: true } : { watchLeftS: (30_000 - stoodMs) / 1_000 };
  }
}
