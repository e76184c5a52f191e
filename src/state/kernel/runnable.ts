import { expiresAt, takingOf } from './claim-standing.ts';
import { logTimeOf } from './clock.ts';
import { type Hold, holdOn } from './gate-hold.ts';
import { isAfterDone } from './index-todo.ts';
import { type Gate, type Handoff, priorities, type Todo } from './model.ts';
import { type Obstacle, obstacleTo } from './reserved.ts';
import { goalIndex, isClosed } from './state.ts';
import { idNumber } from './table.ts';
import type { View } from './view.ts';

/** Why an agent cannot be given a todo now. */
export type WhyNot =
  | { readonly is: 'closed' }
  | { readonly is: 'gate'; readonly hold: Hold }
  | { readonly is: 'held'; readonly holder: string; readonly expiresAt: number; readonly watchLeftS?: number }
  | { readonly is: 'asleep'; readonly reason: string; readonly until?: number }
  | { readonly is: 'after'; readonly todos: readonly string[] }
  | { readonly is: 'not-due'; readonly dueAt: number }
  | { readonly is: 'offered'; readonly handoff: Handoff }
  | { readonly is: 'capability'; readonly missing: readonly string[] }
  | { readonly is: 'excluded' }
  | { readonly is: 'reserved'; readonly obstacle: Obstacle };

/**
 * What stands between this agent and the todo; undefined when it could be claimed at once. A todo that the agent holds
 * already is judged as if it were open.
 */
export function whyNot(view: View, todo: Todo, gates?: readonly Gate[]): WhyNot | undefined {
  if (isClosed(todo)) return { is: 'closed' };
  const hold = holdOn(view.state, todo, gates);
  if (hold) return { is: 'gate', hold };
  const held = heldByOther(view, todo);
  if (held) return held;
  if (todo.claim?.holder === view.agent) return undefined;
  return asleep(view, todo) ?? notYet(view, todo) ?? notFor(view, todo) ?? reserved(view, todo);
}

function heldByOther(view: View, todo: Todo): WhyNot | undefined {
  if (!todo.claim || todo.claim.holder === view.agent) return undefined;
  const taking = takingOf(view, todo.claim);
  if (taking.can) return undefined;
  const held = { is: 'held', holder: todo.claim.holder, expiresAt: expiresAt(view, todo.claim) } as const;
  return taking.watchLeftS === undefined ? held : { ...held, watchLeftS: taking.watchLeftS };
}

/** When a blocked or deferred todo wakes by the clock alone, log ms. */
export function wakesAt(view: Pick<View, 'state'>, todo: Todo): number | undefined {
  const when = todo.resumeWhen;
  return when && 'at' in when ? logTimeOf(view.state, when.at) : undefined;
}

function asleep(view: View, todo: Todo): WhyNot | undefined {
  if (todo.state !== 'blocked' && todo.state !== 'deferred') return undefined;
  const until = wakesAt(view, todo);
  if (until !== undefined && until <= view.at && todo.deniedBy === undefined) return undefined;
  const reason = todo.reason ?? todo.state;
  return until === undefined ? { is: 'asleep', reason } : { is: 'asleep', reason, until };
}

function notYet(view: View, todo: Todo): WhyNot | undefined {
  if (!isAfterDone(view.state, todo)) {
    return { is: 'after', todos: todo.after.filter((id) => view.state.todos.get(id)?.state !== 'done') };
  }
  if (todo.kind === 'monitor' && todo.dueAt !== undefined && todo.dueAt > view.at) {
    return { is: 'not-due', dueAt: todo.dueAt };
  }
  return undefined;
}

function notFor(view: View, todo: Todo): WhyNot | undefined {
  const handoff = offerOn(view, todo);
  if (handoff && !isFor(view, handoff)) return { is: 'offered', handoff };
  const missing = todo.capabilities.filter((capability) => !view.capabilities.includes(capability));
  if (missing.length > 0) return { is: 'capability', missing };
  return todo.excludeAgents.includes(view.agent) ? { is: 'excluded' } : undefined;
}

function reserved(view: View, todo: Todo): WhyNot | undefined {
  const obstacle = obstacleTo(view, todo.scope);
  return obstacle && { is: 'reserved', obstacle };
}

/** The handoff that offers this todo now: not yet answered, and its time not over. */
export function offerOn(view: Pick<View, 'state' | 'at'>, todo: Todo): Handoff | undefined {
  const handoff = todo.handoff === undefined ? undefined : view.state.handoffs.get(todo.handoff);
  const isOpen = handoff?.state === 'offered' && view.at < handoff.at + handoff.acceptWithinS * 1_000;
  return isOpen && todo.state === 'open' ? handoff : undefined;
}

/** Whether this agent is whom the handoff is for. */
export function isFor(view: Pick<View, 'agent' | 'capabilities'>, handoff: Handoff): boolean {
  const { agent, capability } = handoff.to;
  if (agent !== undefined) return agent === view.agent;
  if (handoff.from === view.agent) return false;
  return capability === undefined || view.capabilities.includes(capability);
}

/** What an agent could be given on a goal now, the best of each sort, and the best that a gate holds. */
export interface Choice {
  readonly offered?: Todo;
  readonly monitor?: Todo;
  readonly work?: Todo;
  /** The best todo that only a gate keeps from running, among those that come before the choice. */
  readonly held?: { readonly todo: Todo; readonly hold: Hold };
}

export function choose(view: View, goal: string, gates: readonly Gate[]): Choice {
  const index = goalIndex(view.state, goal);
  const offered = [...index.offers.keys()]
    .map((id) => view.state.todos.get(id) as Todo)
    .filter((todo) => {
      const handoff = offerOn(view, todo);
      return handoff !== undefined && isFor(view, handoff) && whyNot(view, todo, gates) === undefined;
    })
    .sort(byRank)[0];
  const monitor = [...index.monitors.keys()]
    .map((id) => view.state.todos.get(id) as Todo)
    .filter((todo) => todo.claim?.holder !== view.agent && whyNot(view, todo, gates) === undefined)
    .sort(byRank)[0];
  let work: Todo | undefined;
  let held: Choice['held'];
  for (const todo of candidates(view, goal)) {
    if (todo.kind === 'monitor' || todo.claim?.holder === view.agent) continue;
    const why = whyNot(view, todo, gates);
    if (why?.is === 'gate') held ??= { todo, hold: why.hold };
    if (why) continue;
    work = todo;
    break;
  }
  return { ...(offered && { offered }), ...(monitor && { monitor }), ...(work && { work }), ...(held && { held }) };
}

/** Best first: the higher priority, then the lower number. */
export function byRank(a: Todo, b: Todo): number {
  return priorities.indexOf(a.priority) - priorities.indexOf(b.priority) || idNumber(a.todo) - idNumber(b.todo);
}

/** Open todos whose predecessors are done, sleepers whose time has come, and claims that may be taken, best first. */
function* candidates(view: View, goal: string): Generator<Todo> {
  const index = goalIndex(view.state, goal);
  const others = [...index.asleep.keys(), ...view.state.index.active.keys()]
    .map((id) => view.state.todos.get(id) as Todo)
    .filter(
      (todo) => todo.goal === goal && (todo.claim ? takingOf(view, todo.claim).can : wakesAt(view, todo) !== undefined),
    )
    .sort(byRank);
  for (const table of index.ready) {
    for (const id of table.keys()) {
      const todo = view.state.todos.get(id) as Todo;
      while (others[0] && byRank(others[0], todo) < 0) yield others.shift() as Todo;
      yield todo;
    }
  }
  yield* others;
}
