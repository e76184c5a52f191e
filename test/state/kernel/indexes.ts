import type { State } from '../../../src/state/kernel/state.ts';

/** What the indexes should hold, worked out from scratch; lists whose order says nothing are sorted. */
export function indexesFromScratch(state: State): unknown {
  const todos = [...state.todos.values()];
  const isDone = (id: string) => state.todos.get(id)?.state === 'done';
  const goals = [...state.goals.keys()].sort().map((name) => {
    const own = todos.filter((todo) => todo.goal === name);
    const ids = (is: (todo: (typeof own)[number]) => boolean) => own.filter(is).map((todo) => todo.todo);
    const count = (of: string) => own.filter((todo) => todo.state === of).length;
    const gates = [...state.gates.values()].filter((gate) => gate.goal === name);
    const speaks: { [criterion: string]: string[] } = {};
    for (const evidence of state.evidence.values()) {
      if (evidence.goal !== name || evidence.result !== 'pass') continue;
      const todo = state.todos.get(evidence.todo ?? '');
      const named = evidence.criteriaBelongTo === 'goal' ? evidence.criteria : [];
      for (const criterion of new Set([...named, ...(todo?.state === 'done' ? todo.covers : [])])) {
        speaks[criterion] = [...(speaks[criterion] ?? []), evidence.evidence].sort();
      }
    }
    return {
      name,
      states: ['active', 'blocked', 'deferred', 'done', 'dropped', 'open'].map(count),
      ready: ['P0', 'P1', 'P2', 'P3'].map((priority) =>
        ids((todo) => todo.state === 'open' && todo.priority === priority && todo.after.every(isDone)),
      ),
      asleep: ids((todo) => todo.state === 'blocked' || todo.state === 'deferred'),
      monitors: ids((todo) => todo.kind === 'monitor' && todo.state !== 'done' && todo.state !== 'dropped'),
      offers: ids((todo) => todo.state === 'open' && state.handoffs.get(todo.handoff ?? '')?.state === 'offered'),
      gates: gates
        .filter(
          (gate) =>
            gate.state === 'open' ||
            (gate.state === 'answered' && gate.answer?.effect === 'deny' && gate.kind !== 'completion'),
        )
        .map((gate) => gate.gate)
        .sort(),
      approvals: gates
        .filter(
          (gate) =>
            gate.state === 'answered' &&
            gate.answer?.effect === 'approve' &&
            (gate.blocks.goal || gate.blocks.todos.length > 0),
        )
        .map((gate) => gate.gate)
        .sort(),
      speaks: Object.entries(speaks).sort(),
    };
  });
  const links = (of: (todo: (typeof todos)[number]) => readonly string[]) =>
    todos.flatMap((todo) => of(todo).map((up) => `${up} < ${todo.todo}`)).sort();
  return {
    goals,
    dependents: links((todo) => todo.after),
    children: links((todo) => (todo.parent === undefined ? [] : [todo.parent])),
    active: todos.filter((todo) => todo.state === 'active').map((todo) => todo.todo),
  };
}

/** The indexes as the folds kept them, in the same form. */
export function indexesKept(state: State): unknown {
  const goals = [...state.goals.keys()].sort().map((name) => {
    const index = state.index.goals.get(name);
    return {
      name,
      states: Object.entries(index?.states ?? { active: 0, blocked: 0, deferred: 0, done: 0, dropped: 0, open: 0 })
        .sort()
        .map(([, count]) => count),
      ready: index?.ready.map((table) => [...table.keys()]) ?? [[], [], [], []],
      asleep: [...(index?.asleep.keys() ?? [])],
      monitors: [...(index?.monitors.keys() ?? [])],
      offers: [...(index?.offers.keys() ?? [])],
      gates: [...(index?.gates ?? [])].sort(),
      approvals: [...(index?.approvals ?? [])].sort(),
      speaks: Object.entries(index?.speaks ?? {})
        .map(([criterion, list]) => [criterion, [...list.keys()].sort()] as const)
        .sort(),
    };
  });
  const links = (table: State['index']['dependents']) =>
    [...table.entries()].flatMap(([up, list]) => list.map((id) => `${up} < ${id}`)).sort();
  const { dependents, children, active } = state.index;
  return { goals, dependents: links(dependents), children: links(children), active: [...active.keys()] };
}
