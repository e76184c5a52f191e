import type { SessionPresence } from './session-presence.ts';

export interface HeartbeatOptions {
  readonly presence: SessionPresence;
  /** Seconds without a tool call after which an agent's counter is left to stand. */
  readonly idleAfterS: number;
  /** The ttl, in seconds, of each live claim of this session's agents; the shortest sets the pace. */
  readonly ttlsS: () => readonly number[];
  /** Called after each beat with the agents that were awake. */
  readonly onBeat?: (agents: readonly string[]) => void;
  /** Wall clock, ms. */
  readonly now?: () => number;
}

/** How often a claim of that ttl is renewed, ms: a quarter of it, between 0.25 and 15 s. */
export function beatEveryMs(ttlS: number): number {
  return Math.min(15_000, Math.max(250, ttlS * 250));
}

/** The server's witness that its agents' holder lives, as long as its process runs. Keeps no process alive. */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  #timer: NodeJS.Timeout | undefined;
  #dueAtMs = 0;
  #isRunning = false;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
  }

  start(): void {
    this.#isRunning = true;
    this.#schedule(performance.now());
  }

  /** To be called when the claims changed: a shorter ttl than before must not wait for a beat at the old pace. */
  refresh(): void {
    const soonestMs = performance.now() + this.#everyMs();
    if (this.#isRunning && soonestMs < this.#dueAtMs) this.#schedule(performance.now());
  }

  stop(): void {
    this.#isRunning = false;
    clearTimeout(this.#timer);
  }

  #everyMs(): number {
    return Math.min(15_000, ...this.#options.ttlsS().map(beatEveryMs));
  }

  #schedule(nowMs: number): void {
    clearTimeout(this.#timer);
    const everyMs = this.#everyMs();
    this.#dueAtMs = nowMs + everyMs;
    this.#timer = setTimeout(() => this.#tick(), everyMs);
    this.#timer.unref();
  }

  #tick(): void {
    const { presence, idleAfterS, onBeat, now = Date.now } = this.#options;
    const agents = presence.beat(now(), idleAfterS);
    onBeat?.(agents);
    if (this.#isRunning) this.#schedule(performance.now());
  }
}
