import { join } from 'node:path';
import { z } from 'zod';
import { isStateDir } from '../workspace/state-dir.ts';
import { fileNameOf } from './agent-file.ts';
import type { ProcessIdentity } from './process-identity.ts';
import { readJson, writeJson } from './small-json.ts';

const watchSchema = z.object({
  bootId: z.string(),
  pidNamespace: z.string().optional(),
  beat: z.number().int().nonnegative(),
  /** Milliseconds of the monotonic clock at which the counter was first seen at this beat. */
  sinceMs: z.number().nonnegative(),
});

export interface Watched {
  readonly unchangedMs: number;
  /** Until the counter has stood still for as long as needed; 0 when it has. */
  readonly remainingMs: number;
}

/**
 * How long a holder's counter has stood still. Time is the monotonic clock, which no one can set, which stands still
 * while the machine sleeps, and which all processes of one boot share: so the start of a watch is kept in a file, and
 * a second command-line call goes on where the first one left off. Since a counter only rises, two looks at the same
 * value prove that it stood still between them, whoever looked. Without a boot id only this process's own looks count.
 */
export class Watch {
  readonly #stateDir: string;
  readonly #self: ProcessIdentity;
  readonly #monotonicMs: () => number;
  readonly #seen = new Map<string, { beat: number; sinceMs: number }>();

  constructor(
    stateDir: string,
    self: ProcessIdentity,
    monotonicMs: () => number = () => Number(process.hrtime.bigint()) / 1e6,
  ) {
    this.#stateDir = stateDir;
    this.#self = self;
    this.#monotonicMs = monotonicMs;
  }

  /** A look at the counter of a holder; the first one starts the watch, a changed counter starts it anew. */
  observe(session: string, agent: string, beat: number, neededMs: number): Watched {
    const nowMs = this.#monotonicMs();
    const key = `${session}/${agent}`;
    const path = join(this.#stateDir, 'presence', 'watches', `${fileNameOf(key)}.json`);
    const kept = this.#kept(path, beat, nowMs);
    const mine = this.#seen.get(key);
    const sinceMs = Math.min(nowMs, kept ?? nowMs, mine?.beat === beat ? mine.sinceMs : nowMs);
    this.#seen.set(key, { beat, sinceMs });
    if (kept === undefined) this.#keep(path, beat, sinceMs);
    const unchangedMs = nowMs - sinceMs;
    return { unchangedMs, remainingMs: Math.max(0, neededMs - unchangedMs) };
  }

  #kept(path: string, beat: number, nowMs: number): number | undefined {
    const watch = readJson(path, watchSchema);
    const { bootId, pidNamespace } = this.#self;
    const isMine = watch?.bootId === bootId && watch?.pidNamespace === pidNamespace;
    return watch && isMine && watch.beat === beat && watch.sinceMs <= nowMs ? watch.sinceMs : undefined;
  }

  #keep(path: string, beat: number, sinceMs: number): void {
    const { bootId, pidNamespace } = this.#self;
    if (bootId !== undefined && isStateDir(this.#stateDir)) writeJson(path, { bootId, pidNamespace, beat, sinceMs });
  }
}
