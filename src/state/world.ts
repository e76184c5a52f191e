import { hashFile } from './evidence-sources/hash-file.ts';
import { hashGlob } from './evidence-sources/hash-glob.ts';
import { isProblem, type SourceProblem } from './evidence-sources/problem.ts';
import { verifyCommit } from './evidence-sources/verify-commit.ts';
import type { Horizons } from './horizons.ts';
import { expiresAt, standingOf } from './kernel/claim-standing.ts';
import type { EvidenceInput, Seen, Sighting } from './kernel/commands.ts';
import type { Evidence } from './kernel/model.ts';
import { badArgument, type Refused } from './kernel/refusal.ts';
import { goalIndex, type State } from './kernel/state.ts';
import { nothingSeen, type View } from './kernel/view.ts';
import { beatEveryMs } from './presence/heartbeat.ts';
import type { Presence } from './presence/presence.ts';
import { type Sight, sight } from './presence/sight.ts';
import type { Watch } from './presence/watch.ts';

export interface WorldOptions {
  readonly root: string;
  readonly presence: Presence;
  readonly watch: Watch;
  readonly horizons: Horizons;
  readonly now?: () => number;
}

/** Which things of the goal a decision or an answer is about, so that only their files are looked at. */
export interface Focus {
  readonly goals?: readonly string[];
  readonly todos?: readonly string[];
  readonly evidence?: readonly string[];
  /** Whose sessions matter beside those that hold something. */
  readonly agents?: readonly string[];
  /** Whether asking starts the watch over a holder that stopped renewing. */
  readonly startsWatch?: boolean;
}

/** How many of the newest evidence for one criterion are looked at; one fresh piece is all that is needed. */
const newestLooked = 20;

/** What can be seen outside the log: other sessions' processes, and the files that evidence rests on. */
export class World {
  readonly #options: WorldOptions;

  constructor(options: WorldOptions) {
    this.#options = options;
  }

  /** The folder whose files evidence rests on: the working tree that this process sees. */
  get root(): string {
    return this.#options.root;
  }

  async look(state: State, at: number, focus: Focus, hashed: Seen['hashed'] = []): Promise<Seen> {
    await this.#options.presence.refresh?.();
    const sessions = this.#sessions(state, at, focus);
    const { files, globs } = await this.#files(state, focus);
    // What was just taken down for new evidence has been looked at, too.
    const newFiles = Object.fromEntries(hashed.flatMap((one) => one.files.map((file) => [file.path, file.sha256])));
    const newGlobs = Object.fromEntries(hashed.flatMap((one) => one.globs.map((glob) => [glob.glob, glob])));
    return {
      sessions,
      files: { ...newFiles, ...files },
      globs: { ...newGlobs, ...globs },
      hashed,
      ...this.#options.horizons,
    };
  }

  #sessions(state: State, at: number, focus: Focus): Seen['sessions'] {
    const { presence, horizons, now = Date.now } = this.#options;
    const sights = new Map<string, Sight>();
    const found: { [key: string]: Sighting } = {};
    const see = (session: string, agent: string): Sighting => {
      const known = sights.get(session) ?? sight(presence.read(session), now(), horizons.idleAfterS, presence.self);
      sights.set(session, known);
      const { standing, isIdle, lastActivityAt, beatAt, host, pid, hostSession } = known.of(agent);
      const seen: Sighting = { standing, isIdle, lastActivityAt, beatAt, host, pid, hostSession };
      found[`${session}/${agent}`] = seen;
      return seen;
    };
    for (const name of focus.agents ?? []) {
      const agent = state.agents.get(name);
      if (agent) see(agent.session, name);
    }
    for (const lease of leasesOf(state)) {
      const seen = see(lease.session, lease.holder);
      // A guarded command that still runs still uses what it holds, however long its guard has been silent.
      if (seen.standing !== 'alive' || presence.read(lease.session)?.kind === 'guard') continue;
      const view: View = {
        state,
        at,
        agent: '',
        session: '',
        capabilities: [],
        seen: { ...nothingSeen, sessions: found },
      };
      if (standingOf(view, lease) !== 'expired' || expiresAt(view, lease) > at) continue;
      const beat = sights.get(lease.session)?.of(lease.holder).beat ?? 0;
      found[`${lease.session}/${lease.holder}`] = {
        ...seen,
        ...this.#watched(lease, beat, focus.startsWatch === true),
      };
    }
    return found;
  }

  /** Two heartbeats of the claim without a beat, by the asker's own monotonic clock. */
  #watched(
    lease: { readonly session: string; readonly holder: string; readonly ttlS: number },
    beat: number,
    starts: boolean,
  ) {
    const neededMs = 2 * beatEveryMs(lease.ttlS);
    if (!starts) return { watchLeftS: neededMs / 1_000 };
    const { remainingMs } = this.#options.watch.observe(lease.session, lease.holder, beat, neededMs);
    return remainingMs === 0 ? { hasStoodStill: true } : { watchLeftS: remainingMs / 1_000 };
  }

  async #files(state: State, focus: Focus): Promise<Pick<Seen, 'files' | 'globs'>> {
    const records = focusedEvidence(state, focus);
    const paths = new Set(records.flatMap((record) => record.files.map((file) => file.path)));
    const patterns = new Set(records.flatMap((record) => record.globs.map((glob) => glob.glob)));
    const files: { [path: string]: string | null } = {};
    const globs: { [glob: string]: Seen['globs'][string] } = {};
    for (const path of paths) {
      const hash = await hashFile(this.#options.root, path);
      files[path] = isProblem(hash) ? null : hash.sha256;
    }
    for (const pattern of patterns) {
      const hash = await hashGlob(this.#options.root, pattern);
      globs[pattern] = isProblem(hash) ? null : hash;
    }
    return { files, globs };
  }

  /** Takes down what new evidence rests on, by this server's own reading; a source that is not there is refused. */
  async takeDown(inputs: readonly EvidenceInput[], fieldOf: (at: number) => string): Promise<Seen['hashed'] | Refused> {
    const { root } = this.#options;
    const all: Seen['hashed'][number][] = [];
    for (const [at, input] of inputs.entries()) {
      const files = [];
      for (const [n, path] of (input.files ?? []).entries()) {
        const hash = await hashFile(root, path);
        if (isProblem(hash)) return unusable(`${fieldOf(at)}files[${n}]`, hash);
        files.push({ path: hash.path, sha256: hash.sha256 });
      }
      const globs = [];
      for (const [n, glob] of (input.globs ?? []).entries()) {
        const hash = await hashGlob(root, glob);
        if (isProblem(hash)) return unusable(`${fieldOf(at)}globs[${n}]`, hash);
        globs.push(hash);
      }
      const commit = input.commit === undefined ? undefined : await verifyCommit(root, input.commit);
      if (commit && isProblem(commit)) return unusable(`${fieldOf(at)}commit`, commit);
      all.push({ files, globs, ...(commit && { commit: commit.commit }) });
    }
    return all;
  }
}

function unusable(field: string, problem: SourceProblem): Refused {
  return badArgument(field, `${problem.path}: ${problem.message} Nothing was written.`);
}

function* leasesOf(state: State) {
  for (const id of state.index.active.keys()) {
    const claim = state.todos.get(id)?.claim;
    if (claim) yield claim;
  }
  yield* state.reservations.values();
}

function focusedEvidence(state: State, focus: Focus): readonly Evidence[] {
  const ids = new Set(focus.evidence ?? []);
  for (const goal of focus.goals ?? []) {
    for (const speaking of Object.values(goalIndex(state, goal).speaks)) {
      let left = newestLooked;
      for (const id of speaking.keysBackwards()) {
        ids.add(id);
        if (--left === 0) break;
      }
    }
  }
  for (const todo of focus.todos ?? []) for (const id of state.todos.get(todo)?.evidence ?? []) ids.add(id);
  return [...ids].flatMap((id) => state.evidence.get(id) ?? []);
}
