import { priorities, type Todo } from './model.ts';
import { type GoalIndex, goalIndex, isClosed, type State } from './state.ts';
import type { Table } from './table.ts';

/** The state with this todo in place of what it was, and every index that depends on it. */
export function putTodo(state: State, todo: Todo): State {
  const before = state.todos.get(todo.todo);
  let next: State = { ...state, todos: state.todos.with(todo.todo, todo) };
  if (before?.after !== todo.after) next = relink(next, 'dependents', todo.todo, before?.after ?? [], todo.after);
  if (before?.parent !== todo.parent) {
    next = relink(next, 'children', todo.todo, before?.parent ? [before.parent] : [], todo.parent ? [todo.parent] : []);
  }
  if (isMoved(before, todo)) next = placeTodo(next, before, todo);
  if (before && (before.state === 'done') !== (todo.state === 'done')) {
    for (const id of next.index.dependents.get(todo.todo) ?? []) {
      const dependent = next.todos.get(id);
      if (dependent) next = placeTodo(next, dependent, dependent);
    }
  }
  return next;
}

/** Whether its place may be another; most changes, a note or a renewal, leave it where it is. */
function isMoved(before: Todo | undefined, todo: Todo): boolean {
  // The same todo put again is one whose handoff has changed.
  if (before === undefined || before === todo) return true;
  return (
    before.state !== todo.state ||
    before.priority !== todo.priority ||
    before.kind !== todo.kind ||
    before.after !== todo.after ||
    before.handoff !== todo.handoff
  );
}

export function isAfterDone(state: State, todo: Todo): boolean {
  return todo.after.every((id) => state.todos.get(id)?.state === 'done');
}

function isOffered(state: State, todo: Todo): boolean {
  return todo.handoff !== undefined && state.handoffs.get(todo.handoff)?.state === 'offered';
}

function relink(
  state: State,
  links: 'dependents' | 'children',
  id: string,
  before: readonly string[],
  after: readonly string[],
): State {
  let table = state.index[links];
  for (const key of before)
    if (!after.includes(key))
      table = table.with(
        key,
        (table.get(key) ?? []).filter((other) => other !== id),
      );
  for (const key of after) if (!before.includes(key)) table = table.with(key, [...(table.get(key) ?? []), id]);
  return { ...state, index: { ...state.index, [links]: table } };
}

function placeTodo(state: State, before: Todo | undefined, todo: Todo): State {
  const id = todo.todo;
  const index = goalIndex(state, todo.goal);
  const states = { ...index.states };
  if (before) states[before.state]--;
  states[todo.state]++;
  const isReady = todo.state === 'open' && isAfterDone(state, todo);
  const next: GoalIndex = {
    ...index,
    states,
    ready: index.ready.map((table, rank) => set(table, id, isReady && priorities[rank] === todo.priority)),
    asleep: set(index.asleep, id, todo.state === 'blocked' || todo.state === 'deferred'),
    offers: set(index.offers, id, todo.state === 'open' && isOffered(state, todo)),
    monitors: set(index.monitors, id, todo.kind === 'monitor' && !isClosed(todo)),
  };
  return {
    ...state,
    index: {
      ...state.index,
      goals: state.index.goals.with(todo.goal, next),
      active: set(state.index.active, id, todo.state === 'active'),
    },
  };
}

function set(table: Table<true>, id: string, isIn: boolean): Table<true> {
  if (table.has(id) === isIn) return table;
  return isIn ? table.with(id, true) : table.without(id);
}
