import { compareBoard } from '../audit/compare-board.ts';
import { compareLook, compareQuota, compareReview, compareSummary } from '../audit/compare-goal.ts';
import {
  compareIds,
  compareItem,
  comparePage,
  compareTotal,
  idField,
  type ListName,
  statesOf,
} from '../audit/compare-lists.ts';
import { compareAgents, compareCommits, compareGoals, compareHistory } from '../audit/compare-workspace.ts';
import { momentOf } from '../audit/counts.ts';
import { take } from '../audit/derive.ts';
import { Differences, type Tell } from '../audit/differences.ts';
import { type Facts, noFacts } from '../audit/facts.ts';
import type { AuditCommit, LogReading, Raw } from '../audit/read-log.ts';
import type { Query } from './answer.ts';
import type { Actor } from './kernel/commands.ts';
import type { Reads, read } from './reads.ts';

/** A comparison to be made with the facts at the version that the answer was true of. */
interface Check {
  readonly version: number;
  readonly run: (facts: Facts, reading: LogReading) => void;
}

type Compare = (tell: Tell, shown: Raw, facts: Facts, reading: LogReading) => void;
type StatusQuery = Extract<Query, { type: 'goal.status' }>;

/** An audit asks as somebody whom no notice is for, so that it takes none from the agent it audits for. */
const auditor: Actor = { kind: 'owner', name: 'audit', channel: 'cli', grade: 'prompt' };
const lists: readonly ListName[] = ['todos', 'gates', 'evidence'];
/** So many of the latest commits are compared as they are handed out, and things one by one in a deep audit. */
const latestCommits = 20;
const thingsMax = 200;

/** Asks every surface, as the tools, resources, prompts, command line and dashboard do, and compares what it answers. */
export class Surfaces {
  readonly differences = new Differences();
  /** Evidence that was shown fresh. */
  readonly fresh = new Set<string>();
  readonly #reads: Reads;
  readonly #read: typeof read;
  readonly #isDeep: boolean;
  readonly #checks: Check[] = [];
  asked = 0;

  constructor(reads: Reads, how: { readonly isDeep: boolean; readonly read: typeof read }) {
    this.#reads = reads;
    this.#isDeep = how.isDeep;
    this.#read = how.read;
  }

  /** The first and last version that answers were true of; the log was at `version` if there were none. */
  versions(version: number): { readonly from: number; readonly to: number } {
    const all = this.#checks.map((check) => check.version);
    return all.length === 0 ? { from: version, to: version } : { from: Math.min(...all), to: Math.max(...all) };
  }

  async askWorkspace(version: number): Promise<void> {
    await this.#ask({ type: 'goals' }, 'goals', compareGoals);
    await this.#pages({ type: 'goal.status', view: 'agents' }, 'view=agents', compareAgents);
    const after = this.#isDeep ? 0 : Math.max(0, version - latestCommits);
    await this.#ask({ type: 'log.read', after }, 'log.read', (tell, shown, _, { commits }) =>
      compareCommits(tell, after, shown, commits),
    );
  }

  async askGoal(goal: string): Promise<void> {
    const ask = (
      query: Query,
      surface: string,
      compare: (tell: Tell, goal: string, shown: Raw, facts: Facts) => void,
    ) => this.#ask(query, `${surface} ${goal}`, (tell, shown, facts) => compare(tell, goal, shown, facts));
    await ask({ type: 'goal.status', goal }, 'goal_status', compareSummary);
    await ask({ type: 'goal.status', goal, view: 'quota' }, 'view=quota', compareQuota);
    await ask({ type: 'quota.should-run', goal, isLook: true }, 'quota_should_run', compareLook);
    await ask({ type: 'review.packet', goal }, 'review_packet', compareReview);
    await ask({ type: 'board', goal }, 'board', compareBoard);
    for (const kind of this.#isDeep ? [undefined, 'claim', 'gate', 'evidence'] : [undefined]) {
      const query = { type: 'goal.status', goal, view: 'history', kind, limit: 1 } as const;
      await this.#ask(query, `view=history ${goal}`, (tell, shown, facts) =>
        compareHistory(tell, goal, kind, shown, facts),
      );
    }
    for (const list of lists) await this.#askList(goal, list);
  }

  async #askList(goal: string, list: ListName): Promise<void> {
    const surface = `view=${list} ${goal}`;
    const query = { type: 'goal.status', goal, view: list } as const;
    const pages = await this.#pages(query, surface, (tell, page, facts) => comparePage(tell, list, goal, page, facts));
    const items = pages.flatMap((page) => page[list] ?? []);
    const ids = items.map((item) => item[idField[list]]);
    const last = pages.at(-1);
    if (last !== undefined && last.nextCursor === undefined) {
      const tell = this.differences.on(surface);
      this.#checks.push({ version: last.version, run: (facts) => compareIds(tell, list, goal, ids, facts) });
    }
    if (list === 'evidence') for (const one of items) if (one.fresh === true) this.fresh.add(one.evidence);
    for (const state of statesOf[list]) {
      await this.#ask({ ...query, state, limit: 5 }, surface, (tell, page, facts) =>
        compareTotal(tell, list, goal, state, page, facts),
      );
    }
    for (const id of this.#isDeep ? ids.slice(0, thingsMax) : []) await this.#askOne(list, String(id));
  }

  async #askOne(list: ListName, id: string): Promise<void> {
    await this.#ask({ type: 'goal.status', id }, `id=${id}`, (tell, shown, facts) => {
      const thing = shown[idField[list]];
      tell.same('id', thing?.[idField[list]], id);
      compareItem(tell, list, thing, facts, momentOf(facts, shown.asOf));
    });
  }

  /** Whether this evidence is still shown fresh. */
  async isFresh(id: string): Promise<boolean> {
    const shown: Raw = await this.#read(this.#reads, { type: 'goal.status', id }, auditor, undefined);
    return shown.evidence?.fresh !== false;
  }

  /** Asks as a tool does, and keeps the comparison for when the facts are at that version; answers what was shown. */
  async #ask(query: Query, surface: string, compare: Compare): Promise<Raw | undefined> {
    const shown: Raw = await this.#read(this.#reads, query, auditor, undefined);
    const tell = this.differences.on(surface, shown);
    this.asked++;
    if (!shown.ok) {
      tell.differ('answer', shown.code ?? 'refused', 'an answer');
      return undefined;
    }
    this.#checks.push({ version: shown.version, run: (facts, reading) => compare(tell, shown, facts, reading) });
    return shown;
  }

  /** Reads a list page by page to its end. */
  async #pages(query: StatusQuery, surface: string, compare: Compare): Promise<readonly Raw[]> {
    const pages: Raw[] = [];
    const cursors = new Set<string | undefined>();
    for (let cursor: string | undefined; ; ) {
      const page = await this.#ask({ ...query, cursor, limit: thingsMax }, surface, compare);
      if (!page) return pages;
      pages.push(page);
      cursor = page.nextCursor;
      if (cursor === undefined) return pages;
      if (cursors.has(cursor)) {
        this.differences.on(surface).differ('next page', cursor, 'a page that was not shown before');
        return pages;
      }
      cursors.add(cursor);
    }
  }

  /** Makes all comparisons, going through the commits once; answers the facts at the last version that was shown. */
  compare(reading: LogReading): Facts {
    const facts = noFacts();
    for (const { version, run } of this.#checks.sort((a, b) => a.version - b.version)) {
      for (const commit of reading.commits.slice(facts.version, version)) take(facts, commit as AuditCommit);
      if (facts.version === version) run(facts, reading);
    }
    return facts;
  }
}
