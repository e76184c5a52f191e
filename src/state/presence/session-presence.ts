import type { Presence } from './presence.ts';
import type { PresenceRecord } from './presence-record.ts';

export type SessionSeed = Pick<PresenceRecord, 'session' | 'kind' | 'host' | 'hostSession' | 'loopxSession'>;

/** Calls that follow one another faster than the shortest heartbeat are told by one write. */
const writeEveryMs = 250;

/**
 * The presence of this process's own session. It keeps the whole record in memory and writes all of it each time, so
 * a file that was deleted comes back soon after the next call. Nothing is written before the first `touch`.
 * Every method answers whether the record is on disk; that it is not is no error, the session is then unknown to others.
 */
export class SessionPresence {
  readonly #store: Presence;
  #record: PresenceRecord;
  /** By the monotonic clock. */
  #writtenAtMs = Number.NEGATIVE_INFINITY;
  #soon: NodeJS.Timeout | undefined;

  constructor(store: Presence, seed: SessionSeed) {
    this.#store = store;
    // The host's words about itself are as long as it likes; the reader refuses a long one.
    const cut = (text: string | undefined) => text?.slice(0, 500);
    this.#record = {
      ...seed,
      host: seed.host.slice(0, 200),
      hostSession: cut(seed.hostSession),
      loopxSession: cut(seed.loopxSession),
      identity: store.self,
      agents: {},
    };
  }

  get session(): string {
    return this.#record.session;
  }

  get agents(): readonly string[] {
    return Object.keys(this.#record.agents);
  }

  /**
   * A tool call by an agent of this session at `nowMs` (wall clock): it is active, and its counter rises. The disk
   * learns of a new agent, and of one that was silent, at once; in a run of calls a little later, since each file that
   * is replaced costs the next sync of the log as much again.
   */
  touch(agent: string, nowMs: number): boolean {
    const isKnown = Object.hasOwn(this.#record.agents, agent);
    this.#raise(agent, nowMs, nowMs);
    const leftMs = this.#writtenAtMs + writeEveryMs - performance.now();
    if (!isKnown || leftMs <= 0) return this.#write();
    this.#soon ??= setTimeout(() => this.#write(), leftMs).unref();
    return true;
  }

  /** One heartbeat: raises the counter of each agent that called a tool within `idleAfterS`; answers those. */
  beat(nowMs: number, idleAfterS: number): readonly string[] {
    const awake = Object.entries(this.#record.agents).filter(
      ([, { lastActivityAt }]) => nowMs - lastActivityAt <= idleAfterS * 1000,
    );
    for (const [agent, { lastActivityAt }] of awake) this.#raise(agent, lastActivityAt, nowMs);
    if (awake.length > 0) this.#write();
    return awake.map(([agent]) => agent);
  }

  /** An agent that left or was fenced; its counter stands still from now on. */
  forget(agent: string): boolean {
    const { [agent]: gone, ...agents } = this.#record.agents;
    if (gone === undefined) return false;
    this.#record = { ...this.#record, agents };
    return this.#write();
  }

  /** The session ends cleanly: what it holds may be taken at once. Writes nothing if nothing ever was written. */
  end(nowMs: number): boolean {
    this.#record = { ...this.#record, endedAt: this.#record.endedAt ?? nowMs };
    return this.agents.length > 0 && this.#write();
  }

  #raise(agent: string, lastActivityAt: number, beatAt: number): void {
    const before = Object.hasOwn(this.#record.agents, agent) ? this.#record.agents[agent] : undefined;
    const presence = { lastActivityAt, beat: (before?.beat ?? 0) + 1, beatAt };
    this.#record = { ...this.#record, agents: { ...this.#record.agents, [agent]: presence } };
  }

  #write(): boolean {
    clearTimeout(this.#soon);
    this.#soon = undefined;
    const isWritten = this.#store.write(this.#record);
    if (isWritten) this.#writtenAtMs = performance.now();
    return isWritten;
  }
}
