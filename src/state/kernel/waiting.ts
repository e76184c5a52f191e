import { claimsOfOthers, expiresAt } from './claim-standing.ts';
import { isDenial } from './evolve-gate.ts';
import type { Todo } from './model.ts';
import { type WhyNot, wakesAt, whyNot } from './runnable.ts';
import { goalIndex } from './state.ts';
import type { View } from './view.ts';

/** One todo that cannot run now: what it waits for, who has it, until when (log ms) where that is known. */
export interface Waiting {
  readonly todo: string;
  readonly what: string;
  readonly who?: string;
  readonly until?: number;
}

export interface WaitingOn {
  readonly 'peers-working': readonly Waiting[];
  readonly 'monitor-future': readonly Waiting[];
  readonly deferred: readonly Waiting[];
  readonly blocked: readonly Waiting[];
  readonly all: readonly Waiting[];
}

/** As many todos as an answer has room for. */
const mostNamed = 10;

/** What the open todos of a goal wait for, sorted by the rows of the decision table. */
export function waitingOn(view: View, goal: string): WaitingOn {
  const index = goalIndex(view.state, goal);
  const todoOf = (id: string) => view.state.todos.get(id) as Todo;
  const peers: Waiting[] = [...claimsOfOthers(view)]
    .filter((todo) => todo.goal === goal)
    .map((todo) => ({
      todo: todo.todo,
      what: `${todo.claim.holder} works on it`,
      who: todo.claim.holder,
      until: expiresAt(view, todo.claim),
    }));
  const future: Waiting[] = [];
  const deferred: Waiting[] = [];
  const blocked: Waiting[] = [];
  const others: Waiting[] = [];
  for (const id of firstOf(index.asleep.keys())) {
    const todo = todoOf(id);
    const until = wakesAt(view, todo);
    const list = todo.state === 'deferred' ? deferred : blocked;
    list.push({
      todo: id,
      what: `${todo.state}: ${todo.reason ?? 'no reason given'}`,
      ...(until !== undefined && { until }),
    });
  }
  for (const id of firstOf(readyIds(view, goal))) {
    const why = whyNot(view, todoOf(id));
    if (!why) continue;
    const waiting = { todo: id, ...inWords(why) };
    if (why.is === 'reserved' || why.is === 'offered' || why.is === 'held') peers.push(waiting);
    else if (why.is === 'not-due') future.push(waiting);
    else if (why.is === 'gate' && isDenial(why.hold.gate)) blocked.push(waiting);
    else others.push(waiting);
  }
  for (const id of firstOf(index.monitors.keys())) {
    const todo = todoOf(id);
    if (
      todo.state === 'open' &&
      todo.dueAt !== undefined &&
      todo.dueAt > view.at &&
      !future.some((one) => one.todo === id)
    ) {
      future.push({ todo: id, what: 'its next check is not due yet', until: todo.dueAt });
    }
  }
  if (index.states.open > 0 && peers.length + future.length + deferred.length + blocked.length + others.length === 0) {
    for (const todo of stuck(view, goal)) blocked.push(todo);
  }
  const all = [...peers, ...future, ...deferred, ...blocked, ...others].slice(0, mostNamed);
  return { 'peers-working': peers.slice(0, mostNamed), 'monitor-future': future, deferred, blocked, all };
}

/** Open todos that wait for a todo which was dropped: nothing but an edit will free them. */
function stuck(view: View, goal: string): readonly Waiting[] {
  const found: Waiting[] = [];
  for (const todo of view.state.todos.values()) {
    if (todo.goal !== goal || todo.state !== 'open' || found.length === mostNamed) continue;
    const why = whyNot(view, todo);
    if (why?.is === 'after') found.push({ todo: todo.todo, ...inWords(why) });
  }
  return found;
}

export function inWords(why: WhyNot): Omit<Waiting, 'todo'> {
  switch (why.is) {
    case 'closed':
      return { what: 'closed' };
    case 'gate':
      return { what: `gate ${why.hold.gate.gate} holds it (${why.hold.how})` };
    case 'held':
      return { what: `${why.holder} holds it`, who: why.holder, until: why.expiresAt };
    case 'asleep':
      return { what: why.reason, ...(why.until !== undefined && { until: why.until }) };
    case 'after':
      return { what: `after ${why.todos.join(', ')}, not done yet` };
    case 'not-due':
      return { what: 'its next check is not due yet', until: why.dueAt };
    case 'offered': {
      const { to, at, acceptWithinS } = why.handoff;
      const target =
        to.agent ?? (to.capability === undefined ? 'any other agent' : `an agent with capability ${to.capability}`);
      return { what: `offered to ${target}`, who: target, until: at + acceptWithinS * 1_000 };
    }
    case 'capability':
      return { what: `needs capability ${why.missing.join(', ')}` };
    case 'excluded':
      return { what: 'excludes you' };
    case 'reserved':
      return {
        what: `${why.obstacle.holder} holds ${why.obstacle.what}`,
        who: why.obstacle.holder,
        until: why.obstacle.expiresAt,
      };
  }
}

function* readyIds(view: View, goal: string): Generator<string> {
  for (const table of goalIndex(view.state, goal).ready) yield* table.keys();
}

function* firstOf(ids: Iterable<string>): Generator<string> {
  let left = 50;
  for (const id of ids) {
    if (left-- === 0) return;
    yield id;
  }
}
