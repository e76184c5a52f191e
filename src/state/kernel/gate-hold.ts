import { isDenial } from './evolve-gate.ts';
import type { Gate, Scope, Todo } from './model.ts';
import { hasScope, scopesOverlap } from './scope.ts';
import { goalIndex, isClosed, type State } from './state.ts';

/** Why a gate holds a todo: it names it, it blocks the goal, what it names comes first, or it protects its scope. */
export type HoldKind = 'blocks' | 'goal' | 'downstream' | 'protects';

export interface Hold {
  readonly gate: Gate;
  readonly how: HoldKind;
}

/** The gates of a goal that hold something: open ones first, then denials that the owner has not lifted. */
export function standingGates(state: State, goal: string): readonly Gate[] {
  const gates = goalIndex(state, goal).gates.map((id) => state.gates.get(id) as Gate);
  return [...gates.filter((gate) => gate.state === 'open'), ...gates.filter((gate) => gate.state !== 'open')];
}

export function openGates(state: State, goal: string): readonly Gate[] {
  return standingGates(state, goal).filter((gate) => gate.state === 'open');
}

/** The first gate over a todo, open or denied; all gates over it must release it. */
export function holdOn(state: State, todo: Todo, gates = standingGates(state, todo.goal)): Hold | undefined {
  if (gates.length === 0) return undefined;
  const upstream = gates.some((gate) => gate.blocks.todos.length > 0) ? upstreamOf(state, todo) : undefined;
  for (const gate of gates) {
    const how = howHeld(gate, todo, upstream);
    if (how !== undefined) return { gate, how };
  }
  return undefined;
}

function howHeld(gate: Gate, todo: Todo, upstream: ReadonlySet<string> | undefined): HoldKind | undefined {
  if (gate.blocks.todos.includes(todo.todo)) return 'blocks';
  if (gate.blocks.goal) return 'goal';
  if (upstream && gate.blocks.todos.some((id) => upstream.has(id))) return 'downstream';
  return isProtected(gate, todo) ? 'protects' : undefined;
}

/**
 * Whether what the gate protects overlaps a scope the todo has, or had since the gate opened. While the gate is open a
 * todo without scope overlaps everything protected; once it is denied only those that name what it protects.
 */
function isProtected(gate: Gate, todo: Todo): boolean {
  const wall: Scope = gate.protects;
  if (!hasScope(wall)) return false;
  const scopes = [
    todo.scope,
    ...todo.formerScopes.filter((former) => former.until > gate.openedVersion).map((f) => f.scope),
  ];
  if (!hasScope(todo.scope) && !isDenial(gate)) return true;
  return scopes.some((scope) => scopesOverlap(scope, wall));
}

/** All todos that come before this one or above it, by `after` and `parent`. */
function upstreamOf(state: State, todo: Todo): ReadonlySet<string> {
  const found = new Set<string>();
  const walk = [todo];
  for (let next = walk.pop(); next; next = walk.pop()) {
    for (const id of next.parent === undefined ? next.after : [...next.after, next.parent]) {
      if (found.has(id)) continue;
      found.add(id);
      const above = state.todos.get(id);
      if (above) walk.push(above);
    }
  }
  return found;
}

/** Every todo that the gate holds because it names it or what it names comes first; the open ones only. */
export function heldByName(state: State, gate: Gate): readonly Todo[] {
  const found = new Map<string, Todo>();
  const walk = [...gate.blocks.todos];
  for (let id = walk.pop(); id !== undefined; id = walk.pop()) {
    const todo = state.todos.get(id);
    if (!todo || found.has(id)) continue;
    found.set(id, todo);
    walk.push(...(state.index.dependents.get(id) ?? []), ...(state.index.children.get(id) ?? []));
  }
  return [...found.values()].filter((todo) => !isClosed(todo));
}

/** Every todo to be worked on whose scope overlaps what the gate protects. */
export function heldByScope(state: State, gate: Gate): readonly Todo[] {
  if (!hasScope(gate.protects)) return [];
  return [...state.todos.values()].filter(
    (todo) => todo.goal === gate.goal && (todo.state === 'open' || todo.state === 'active') && isProtected(gate, todo),
  );
}
