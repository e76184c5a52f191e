import { type Derived, derive, stateAt } from '../audit/derive.ts';
import { type AuditCommit, type LogReading, readLog } from '../audit/read-lines.ts';
import type { Answer, Query } from './answer.ts';
import { hashFile } from './evidence-sources/hash-file.ts';
import type { Actor } from './kernel/commands.ts';
import type { State } from './kernel/state.ts';
import { type Reads, read } from './reads.ts';

/** One fact that a surface shows otherwise than the log's bytes have it. */
export interface Difference {
  readonly surface: string;
  readonly fact: string;
  readonly shown: unknown;
  readonly derived: unknown;
}

/** As many differences as an answer has room for; `total` says how many there are. */
const mostShown = 40;

type AuditQuery = Extract<Query, { type: 'audit' }>;
type Shown = { readonly [field: string]: unknown } & { readonly version: number };

/** audit: what every surface shows, compared with what an independent reader derives from the log's bytes. */
export async function auditWorkspace(reads: Reads, state: State, query: AuditQuery, actor: Actor): Promise<Answer> {
  const health = await reads.log.health();
  const reading =
    health.store === 'file'
      ? readLog(health.where)
      : given((await reads.log.read(0)) as unknown as readonly AuditCommit[]);
  const version = state.version;
  const facts = derive(reading.commits.slice(0, version));
  const differences: Difference[] = [];
  if (reading.damage !== undefined)
    differences.push({ surface: 'log', fact: 'chain', shown: `version ${version}`, derived: reading.damage });
  compare(differences, 'log', 'version', version, facts.version);
  const goals = [...facts.goals.keys()].filter(
    (goal) => query.goal === undefined || goal === query.goal.trim().toLowerCase(),
  );
  const ask = async (question: Query) => (await read(reads, question, actor, undefined)) as unknown as Shown;
  for (const goal of goals) await auditGoal(differences, facts, goal, ask);
  const hashes = query.deep ? await rehash(differences, reads, state) : undefined;
  const view = await reads.viewOf(actor, {});
  return reads.ok(view, {
    clean: differences.length === 0,
    checked: {
      commits: facts.version,
      fromBytes: health.store === 'file',
      goals: goals.length,
      todos: facts.todos.size,
      gates: facts.gates.size,
      evidence: facts.evidence.size,
      claims: [...facts.todos.values()].filter((todo) => todo.holder !== undefined).length,
      spends: facts.spends.length,
      ...(hashes !== undefined && { hashes }),
    },
    differences: differences.slice(0, mostShown),
    shown: Math.min(mostShown, differences.length),
    total: differences.length,
  });
}

function given(commits: readonly AuditCommit[]): LogReading {
  return { commits, head: '' };
}

function compare(differences: Difference[], surface: string, fact: string, shown: unknown, derived: unknown): void {
  if (JSON.stringify(shown) !== JSON.stringify(derived)) differences.push({ surface, fact, shown, derived });
}

async function auditGoal(
  differences: Difference[],
  facts: Derived,
  goal: string,
  ask: (query: Query) => Promise<Shown>,
): Promise<void> {
  const summary = await ask({ type: 'goal.status', goal });
  const now = Date.parse(String(summary.asOf));
  const todos = [...facts.todos].filter(([, todo]) => todo.goal === goal);
  const gates = [...facts.gates].filter(([, gate]) => gate.goal === goal);
  const evidence = [...facts.evidence].filter(([, one]) => one.goal === goal);
  const tell = (surface: string, fact: string, shown: unknown, derived: unknown) =>
    compare(differences, `${surface} ${goal}`, fact, shown, derived);

  const shownGoal = summary.goal as { readonly status?: string } | undefined;
  tell('goal_status', 'status', shownGoal?.status, facts.goals.get(goal)?.status);
  const counts = summary.counts as {
    readonly todos: { readonly [state: string]: number };
    readonly gates: { readonly open: number };
    readonly evidence: number;
  };
  for (const state of Object.keys(counts.todos)) {
    const derived = todos.filter(
      ([, todo]) =>
        (state === 'open' || state === 'blocked' || state === 'deferred' ? stateAt(todo, now) : todo.state) === state,
    ).length;
    tell('goal_status', `todos ${state}`, counts.todos[state], derived);
  }
  tell('goal_status', 'open gates', counts.gates.open, gates.filter(([, gate]) => gate.state === 'open').length);
  tell('goal_status', 'evidence', counts.evidence, evidence.length);
  tell(
    'goal_status',
    'claims',
    (summary.total as { readonly claims: number }).claims,
    todos.filter(([, todo]) => todo.holder !== undefined).length,
  );

  const listedTodos = await pages(ask, goal, 'todos');
  tell('view=todos', 'total', listedTodos.total, todos.length);
  for (const item of listedTodos.items) {
    const todo = facts.todos.get(String(item.todo));
    const claim = item.claim as { readonly holder: string; readonly token: number } | undefined;
    tell('view=todos', `${item.todo} state`, item.state, todo && stateAt(todo, now));
    tell('view=todos', `${item.todo} claim`, [claim?.holder, claim?.token], [todo?.holder, todo?.token]);
  }
  tell(
    'view=todos',
    'ids',
    listedTodos.items.map((item) => item.todo),
    todos.map(([id]) => id),
  );
  const listedGates = await pages(ask, goal, 'gates');
  tell(
    'view=gates',
    'ids',
    listedGates.items.map((item) => item.gate),
    gates.map(([id]) => id),
  );
  for (const item of listedGates.items) {
    const answer = item.answer as { readonly option: string; readonly grade: string } | undefined;
    const gate = facts.gates.get(String(item.gate));
    tell(
      'view=gates',
      `${item.gate}`,
      [item.state, answer?.option, answer?.grade],
      [gate?.state, gate?.option, gate?.grade],
    );
  }
  const listedEvidence = await pages(ask, goal, 'evidence');
  tell(
    'view=evidence',
    'ids',
    listedEvidence.items.map((item) => item.evidence),
    evidence.map(([id]) => id),
  );

  const quota = await ask({ type: 'goal.status', goal, view: 'quota' });
  const windowMs = facts.goals.get(goal)?.windowMs ?? 0;
  const spent = facts.spends.filter(
    (spend) => spend.goal === goal && spend.at > Date.parse(String(quota.asOf)) - windowMs,
  );
  const budget = quota.budget as { readonly slots: { readonly spent: number } };
  tell(
    'view=quota',
    'slots spent',
    budget.slots.spent,
    spent.reduce((sum, spend) => sum + spend.slots, 0),
  );

  const { board } = await ask({ type: 'board', goal });
  for (const [, column, count] of String(board).matchAll(/^## (\w+) \((?:\d+ of )?(\d+)\)$/gm)) {
    tell('board', `${column}`, Number(count), todos.filter(([, todo]) => stateAt(todo, now) === column).length);
  }
}

type Item = { readonly [field: string]: unknown };

/** A list whole, page by page, as somebody who reads it would. */
async function pages(
  ask: (query: Query) => Promise<Shown>,
  goal: string,
  view: 'todos' | 'gates' | 'evidence',
): Promise<{ readonly items: readonly Item[]; readonly total: unknown }> {
  const items: Item[] = [];
  let cursor: string | undefined;
  for (;;) {
    const page = await ask({ type: 'goal.status', goal, view, cursor, limit: 200 });
    items.push(...(page[view] as readonly Item[]));
    cursor = page.nextCursor as string | undefined;
    if (cursor === undefined) return { items, total: page.total };
  }
}

/** Hashes again every file that passing, unsuperseded evidence rests on; answers how many were looked at. */
async function rehash(differences: Difference[], reads: Reads, state: State): Promise<number> {
  let looked = 0;
  for (const evidence of state.evidence.values()) {
    if (evidence.result !== 'pass' || evidence.supersededBy !== undefined) continue;
    for (const file of evidence.files) {
      const hash = await hashFile(reads.root, file.path);
      looked++;
      const now = 'problem' in hash ? hash.problem : hash.sha256;
      compare(differences, 'files', `${evidence.evidence} ${file.path}`, file.sha256, now);
    }
  }
  return looked;
}
