import { compareBoard } from '../audit/compare-board.ts';
import { compareLook, compareQuota, compareReview, compareSummary } from '../audit/compare-goal.ts';
import {
  compareIds,
  compareItem,
  comparePage,
  compareTotal,
  idOf,
  type ListName,
  statesOf,
} from '../audit/compare-lists.ts';
import {
  compareAgents,
  compareCommits,
  compareGoals,
  compareHistory,
  compareLaws,
} from '../audit/compare-workspace.ts';
import { momentOf } from '../audit/counts.ts';
import { derive, take } from '../audit/derive.ts';
import { Differences } from '../audit/differences.ts';
import { type Facts, noFacts } from '../audit/facts.ts';
import { type LogReading, type Raw, readGiven, readLog } from '../audit/read-log.ts';
import { changedSince, type Hashes } from '../audit/rehash.ts';
import type { Answer, Query } from './answer.ts';
import type { Actor } from './kernel/commands.ts';
import { findGoal } from './kernel/find.ts';
import type { State } from './kernel/state.ts';
import { type Reads, read } from './reads.ts';

type AuditQuery = Extract<Query, { type: 'audit' }>;

/** A comparison to be made with the facts at the version that the answer was true of. */
interface Check {
  readonly version: number;
  readonly run: (facts: Facts, reading: LogReading) => void;
}

/** The answer stays within 8 KB, whatever there is to tell. */
const differencesBytesMax = 6_000;
/** An audit asks as somebody whom no notice is for, so that it takes none from the agent it audits for. */
const auditor: Actor = { kind: 'owner', name: 'audit', channel: 'cli', grade: 'prompt' };
const lists: readonly ListName[] = ['todos', 'gates', 'evidence'];

/**
 * audit: what every surface shows, compared with what an independent reader derives from the log's bytes. Each answer
 * is compared at the version that it says it is true of, so that writers need not stand still meanwhile.
 */
export async function auditWorkspace(reads: Reads, state: State, query: AuditQuery, actor: Actor): Promise<Answer> {
  const named = query.goal === undefined ? undefined : findGoal(state, query.goal);
  if (named && 'refusal' in named) return reads.refused(await reads.viewOf(actor, {}), named.refusal);
  const first = await readStore(reads);
  const goals = named ? [named.goal] : [...derive(first.commits).goals.keys()];
  const surfaces = new Surfaces(reads, query.deep === true);
  await surfaces.askWorkspace();
  for (const goal of goals) await surfaces.askGoal(goal);

  // Read after all that was shown, so that the bytes reach at least as far.
  const reading = await readStore(reads);
  const facts = surfaces.compare(reading);
  const hashes = query.deep ? await surfaces.rehash(facts) : undefined;
  const { differences } = surfaces;
  const { from, to } = surfaces.versions;
  const inGoals = <T extends { readonly goal: string }>(things: ReadonlyMap<string, T>) =>
    [...things.values()].filter((thing) => goals.includes(thing.goal));
  const todos = inGoals(facts.todos);
  const spentSlots = goals.flatMap((goal) => facts.goals.get(goal)?.spends ?? []);
  return reads.ok(await reads.viewOf(actor, {}), {
    version: facts.version,
    clean: differences.list.length === 0,
    checked: {
      commits: facts.version,
      head: reading.head,
      bytes: (await isOnFiles(reads)) ? 'read from the files' : 'not read from files; taken as the store gives them',
      goals: goals.length,
      todos: todos.length,
      gates: inGoals(facts.gates).length,
      evidence: inGoals(facts.evidence).length,
      claims: todos.filter((todo) => todo.claim !== undefined).length,
      spentSlots: spentSlots.reduce((sum, spend) => sum + spend.slots, 0),
      signatures: facts.signatures.good,
      ...(hashes !== undefined && { hashes }),
      answers: surfaces.asked,
      ...(from !== to && {
        moved: `The log moved from version ${from} to ${to} meanwhile; each answer was compared at its own.`,
      }),
    },
    ...differences.cut(differencesBytesMax),
  });
}

async function isOnFiles(reads: Reads): Promise<boolean> {
  return (await reads.log.health()).store === 'file';
}

async function readStore(reads: Reads): Promise<LogReading> {
  const { store, where } = await reads.log.health();
  return store === 'file' ? readLog(where) : readGiven(await reads.log.read(0));
}

class Surfaces {
  readonly differences = new Differences();
  asked = 0;
  readonly #reads: Reads;
  readonly #isDeep: boolean;
  readonly #checks: Check[] = [];
  readonly #fresh = new Set<string>();

  constructor(reads: Reads, isDeep: boolean) {
    this.#reads = reads;
    this.#isDeep = isDeep;
  }

  get versions(): { readonly from: number; readonly to: number } {
    const all = this.#checks.map(({ version }) => version);
    return { from: Math.min(...all), to: Math.max(...all) };
  }

  async askWorkspace(): Promise<void> {
    const on = (surface: string) => this.differences.on(surface);
    await this.#ask({ type: 'goals' }, 'goals', (shown, facts) => compareGoals(on('goals'), shown, facts));
    await this.#pages({ type: 'goal.status', view: 'agents' }, 'view=agents', (shown, facts) =>
      compareAgents(on('view=agents'), shown, facts),
    );
    const { version } = await this.#reads.catchUp();
    const after = this.#isDeep ? 0 : Math.max(0, version - 20);
    await this.#ask({ type: 'log.read', after }, 'log', (shown, _, { commits }) =>
      compareCommits(on('log.read'), after, shown, commits),
    );
  }

  async askGoal(goal: string): Promise<void> {
    const on = (surface: string) => this.differences.on(`${surface} ${goal}`);
    const ask = (
      query: Query,
      surface: string,
      compare: (tell: ReturnType<typeof on>, name: string, shown: Raw, facts: Facts) => void,
    ) => this.#ask(query, `${surface} ${goal}`, (shown, facts) => compare(on(surface), goal, shown, facts));
    await ask({ type: 'goal.status', goal }, 'goal_status', compareSummary);
    await ask({ type: 'goal.status', goal, view: 'quota' }, 'view=quota', compareQuota);
    await ask({ type: 'quota.should-run', goal, isLook: true }, 'quota_should_run', compareLook);
    await ask({ type: 'review.packet', goal }, 'review_packet', compareReview);
    await ask({ type: 'board', goal }, 'board', compareBoard);
    for (const kind of this.#isDeep ? [undefined, 'claim', 'gate', 'evidence'] : [undefined]) {
      await ask(
        { type: 'goal.status', goal, view: 'history', kind, limit: 1 },
        'view=history',
        (tell, name, shown, facts) => compareHistory(tell, name, kind, shown, facts),
      );
    }
    for (const list of lists) await this.#askList(goal, list);
  }

  async #askList(goal: string, list: ListName): Promise<void> {
    const surface = `view=${list} ${goal}`;
    const tell = this.differences.on(surface);
    const query = { type: 'goal.status', goal, view: list } as const;
    const ids: unknown[] = [];
    const last = await this.#pages(
      query,
      surface,
      (page, facts) => comparePage(tell, list, goal, page, facts),
      (page) => {
        for (const item of page[list] ?? []) {
          ids.push(idOf(list, item));
          if (list === 'evidence' && item.fresh === true) this.#fresh.add(item.evidence);
        }
      },
    );
    if (last !== undefined)
      this.#checks.push({ version: last, run: (facts) => compareIds(tell, list, goal, ids, facts) });
    for (const state of statesOf[list]) {
      await this.#ask({ ...query, state, limit: 5 }, surface, (page, facts) =>
        compareTotal(tell, list, goal, state, page, facts),
      );
    }
    if (!this.#isDeep) return;
    const one = { todos: 'todo', gates: 'gate', evidence: 'evidence' }[list];
    for (const id of ids.slice(0, 200)) {
      await this.#ask({ type: 'goal.status', id: String(id) }, `id=${id}`, (shown, facts) =>
        compareItem(this.differences.on(`id=${id}`), list, shown[one], facts, momentOf(facts, shown.asOf)),
      );
    }
  }

  /** Asks as a tool does, and keeps the comparison for when the facts are at that version; answers what was shown. */
  async #ask(
    query: Query,
    surface: string,
    compare: (shown: Raw, facts: Facts, reading: LogReading) => void,
  ): Promise<Raw | undefined> {
    const shown: Raw = await read(this.#reads, query, auditor, undefined);
    this.asked++;
    if (!shown.ok) {
      this.differences.on(surface).differ('answer', shown.code, 'an answer');
      return undefined;
    }
    this.#checks.push({ version: shown.version, run: (facts, reading) => compare(shown, facts, reading) });
    return shown;
  }

  /** Reads a list to its end, page by page; answers the version of its last page, or nothing if it has no end. */
  async #pages(
    query: Extract<Query, { type: 'goal.status' }>,
    surface: string,
    compare: (page: Raw, facts: Facts) => void,
    see: (page: Raw) => void = () => {},
  ): Promise<number | undefined> {
    const cursors = new Set<string>();
    for (let cursor: string | undefined; ; ) {
      const page = await this.#ask({ ...query, cursor, limit: 200 }, surface, compare);
      if (!page) return undefined;
      see(page);
      cursor = page.nextCursor;
      if (cursor === undefined) return page.version;
      if (cursors.has(cursor)) {
        this.differences.on(surface).differ('next page', cursor, 'each page is after the one before');
        return undefined;
      }
      cursors.add(cursor);
    }
  }

  /** Makes all comparisons, going through the commits once; answers the facts at the end of what was shown. */
  compare(reading: LogReading): Facts {
    const log = this.differences.on('log');
    if (reading.damage !== undefined) log.differ('chain', 'whole', reading.damage);
    const facts = noFacts();
    for (const { version, run } of this.#checks.sort((a, b) => a.version - b.version)) {
      while (facts.version < version && reading.commits[facts.version])
        take(facts, reading.commits[facts.version] as never);
      if (facts.version === version) run(facts, reading);
    }
    const { to } = this.versions;
    if (facts.version !== to) log.differ('version', to, facts.version);
    compareLaws(log, facts);
    return facts;
  }

  /** Hashes again what evidence rests on that is shown fresh; answers how many files were read. */
  async rehash(facts: Facts): Promise<number> {
    const hashes: Hashes = new Map();
    for (const id of this.#fresh) {
      const evidence = facts.evidence.get(id);
      const changed = evidence && (await changedSince(this.#reads.root, evidence, hashes));
      if (changed === undefined) continue;
      // A file that was changed after the list was read is no fault of the list.
      const again: Raw = await read(this.#reads, { type: 'goal.status', id }, auditor, undefined);
      if (again.evidence?.fresh !== false) this.differences.on('files').differ(`${id} fresh`, true, changed);
    }
    return hashes.size;
  }
}
