import type { Change } from './answer.ts';
import type { Event } from './kernel/events.ts';
import { type CommitFacts, evolveCommit, goalOf } from './kernel/evolve.ts';
import { initialState, type Result, type State } from './kernel/state.ts';
import type { Commit, CommitLog } from './log/commit-log.ts';
import type { SnapshotKeeper } from './snapshot.ts';

/** The log folded in this process. It only ever follows the log: nothing is in it that is not in a commit. */
export class Replica {
  state: State;
  readonly #log: CommitLog;
  readonly #snapshots: SnapshotKeeper | undefined;
  readonly #listeners = new Set<(change: Change) => void>();

  /** @param snapshots where a fold may begin and is kept now and then; without them it begins at the first commit */
  constructor(log: CommitLog, snapshots?: SnapshotKeeper) {
    this.#log = log;
    this.#snapshots = snapshots;
    this.state = snapshots?.load() ?? initialState();
  }

  /** Folds what was appended since, by whichever process; throws StoreError when the log cannot be read to its end. */
  async catchUp(): Promise<State> {
    for (;;) {
      const commits = await this.#log.read(this.state.version);
      if (commits.length === 0) return this.state;
      // A damaged log answers what is good first and what is wrong when it is asked again.
      this.follow(commits);
    }
  }

  /** Folds these commits, those that are known already excepted. */
  follow(commits: readonly Commit[]): void {
    const fresh = commits.filter((commit) => commit.version > this.state.version);
    if (fresh.length === 0) return;
    for (const commit of fresh) this.state = evolveCommit(this.state, factsOf(commit));
    this.#snapshots?.offer(this.state);
    if (this.#listeners.size === 0) return;
    const change = changeOf(this.state, fresh);
    for (const listener of this.#listeners) listener(change);
  }

  onChange(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** Of a commit as it was stored, what the kernel folds. */
export function factsOf(commit: Commit): CommitFacts {
  const { type, key, digest, result } = commit.command;
  const agent = typeof commit.by.agent === 'string' ? commit.by.agent : undefined;
  const receipt =
    typeof key === 'string' && typeof digest === 'string' && typeof type === 'string'
      ? { key, digest, act: type, result: (result ?? {}) as Result }
      : undefined;
  return {
    version: commit.version,
    at: Date.parse(commit.at),
    log: commit.log,
    agent,
    receipt,
    events: commit.events as readonly Event[],
  };
}

function changeOf(state: State, commits: readonly Commit[]): Change {
  const goals = new Set<string>();
  const ids = {
    todo: new Set<string>(),
    gate: new Set<string>(),
    evidence: new Set<string>(),
    agent: new Set<string>(),
  };
  for (const event of commits.flatMap((commit) => commit.events as readonly Event[])) {
    const goal = goalOf(state, event);
    if (goal !== undefined) goals.add(goal);
    for (const name of ['todo', 'gate', 'evidence', 'agent'] as const) {
      const id = (event as { readonly [field: string]: unknown })[name];
      if (typeof id === 'string') ids[name].add(id);
    }
  }
  return {
    version: state.version,
    goals: [...goals],
    todos: [...ids.todo],
    gates: [...ids.gate],
    evidence: [...ids.evidence],
    agents: [...ids.agent],
  };
}
