import type { Answer } from '../../src/state/answer.ts';
import type { Caller, History } from './history.ts';

/** A generator of numbers from 0 up to 1 that a seed makes repeatable (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Load {
  readonly callers: readonly Caller[];
  /** Calls that each caller has in flight at once, and how many follow one another in each such lane. */
  readonly lanes: number;
  readonly calls: number;
  readonly seed: number;
}

/** What the callers know of each other's work, so that they get in each other's way. */
interface Known {
  readonly todos: string[];
  readonly tokens: Map<string, number>;
}

/** One goal and some todos, on which all callers then work at once until each has made its calls; at the end all look. */
export async function work(history: History, { callers, lanes, calls, seed }: Load): Promise<void> {
  const random = seeded(seed);
  const known: Known = { todos: [], tokens: new Map() };
  const first = callers[0] as Caller;
  const todos = Array.from({ length: 6 }, (_, at) => ({ title: `first ${at}`, priority: `P${at % 4}` }));
  await write(history, first, known, 'goal_start', { objective: 'race', todos });
  const all = callers.flatMap((caller) => Array.from({ length: lanes }, () => caller));
  await Promise.all(
    all.map(async (caller) => {
      for (let call = 0; call < calls; call++) await step(history, caller, known, random);
    }),
  );
  await Promise.all(callers.map((caller) => history.call(caller, 'goal_status', { view: 'todos', limit: 100 })));
}

async function step(history: History, caller: Caller, known: Known, random: () => number): Promise<void> {
  const todo = known.todos[Math.floor(random() * known.todos.length)] ?? 'T1';
  const token = known.tokens.get(`${caller.agent} ${todo}`);
  const about = { todo, ...(token !== undefined && random() < 0.7 && { token }) };
  const does = (tool: string, args: object) => write(history, caller, known, tool, args);
  const kind = random();
  if (kind < 0.1)
    await does('todo_add', { todos: [{ title: `more ${random()}` }, { title: 'after it', after: [todo] }] });
  else if (kind < 0.22) await does('todo_claim', { todo });
  else if (kind < 0.3) await does('todo_claim', {});
  else if (kind < 0.4) learn(known, caller, await history.call(caller, 'quota_should_run', { claim: true }));
  else if (kind < 0.5) await does('todo_update', { ...about, note: `noted ${random()}` });
  else if (kind < 0.58) await does('todo_update', { ...about, state: 'open' });
  else if (kind < 0.62) await does('todo_update', { todo, priority: `P${Math.floor(random() * 4)}` });
  else if (kind < 0.72) await does('writeback', { ...about, ...report(random) });
  else if (kind < 0.78) await repeated(history, caller, todo);
  else if (kind < 0.84) await history.call(caller, 'quota_should_run', {});
  else if (kind < 0.9) await history.call(caller, 'goal_status', { view: 'todos', limit: 100 });
  else if (kind < 0.95) await history.call(caller, 'goal_status', { id: todo });
  else await history.call(caller, 'goal_status', {});
}

function report(random: () => number): object {
  const evidence = [{ kind: 'observation', summary: `seen ${random()}`, result: 'pass' }];
  const isDone = random() < 0.6;
  return {
    outcome: isDone ? 'primary' : 'progress',
    summary: 'a turn',
    evidence,
    ...(isDone && { todoState: 'done' }),
  };
}

let keys = 0;

async function write(history: History, caller: Caller, known: Known, tool: string, args: object): Promise<void> {
  const keyed = { ...args, idempotencyKey: `k${++keys}` };
  learn(known, caller, await history.call(caller, tool, keyed));
}

/** One call sent twice at once, as by a host that did not wait for the answer. */
async function repeated(history: History, caller: Caller, todo: string): Promise<void> {
  const args = { todo, note: 'said twice', idempotencyKey: `k${++keys}` };
  await Promise.all([1, 2].map(() => history.call(caller, 'todo_update', args)));
}

function learn(known: Known, { agent }: Caller, answer: Answer | undefined): void {
  if (!answer?.ok) return;
  const { todo, todos, claim } = answer as {
    todo?: { todo: string };
    todos?: { todo: string }[];
    claim?: { token: number };
  };
  known.todos.push(...(todos ?? []).map((one) => one.todo));
  if (todo && claim) known.tokens.set(`${agent} ${todo.todo}`, claim.token);
}
