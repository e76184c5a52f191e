import type { Event } from './events.ts';
import { evolveAgent } from './evolve-agent.ts';
import { evolveEvidence } from './evolve-evidence.ts';
import { evolveGate } from './evolve-gate.ts';
import { evolveGoal } from './evolve-goal.ts';
import { evolveTodo } from './evolve-todo.ts';
import { putTodo } from './index-todo.ts';
import type { Result, State } from './state.ts';

/** Of a commit, what its events are folded with: its version, its time in log ms, and who wrote it. */
export interface Stamp {
  readonly version: number;
  readonly at: number;
}

export interface CommitFacts {
  readonly version: number;
  readonly at: number;
  readonly log?: string | undefined;
  readonly agent?: string | undefined;
  readonly receipt?:
    | { readonly key: string; readonly digest: string; readonly act: string; readonly result: Result }
    | undefined;
  readonly events: readonly Event[];
}

/** The state after one more commit: its events, the renewal that any write of a holder is, its receipt. */
export function evolveCommit(state: State, commit: CommitFacts): State {
  const stamp: Stamp = { version: commit.version, at: commit.at };
  let next = state;
  for (const event of commit.events) next = evolve(next, event, stamp);
  if (commit.agent !== undefined) next = renewLeases(next, commit.agent, stamp);
  if (commit.receipt && commit.agent !== undefined) {
    const { key, digest, act, result } = commit.receipt;
    next = {
      ...next,
      receipts: next.receipts.with(receiptKey(commit.agent, key), { digest, version: commit.version, act, result }),
    };
  }
  return { ...next, version: commit.version, at: Math.max(state.at, commit.at), log: commit.log ?? state.log };
}

export function receiptKey(agent: string, key: string): string {
  return `${agent} ${key}`;
}

/** The state after one event: each concept folds its own and leaves the rest alone. */
export function evolve(state: State, event: Event, stamp: Stamp): State {
  if (event.type === 'clock.corrected') return { ...state, clockOffsetMs: state.clockOffsetMs + event.byMs };
  if (event.type === 'segment.sealed') return state;
  const next =
    evolveAgent(state, event, stamp) ??
    evolveGoal(state, event, stamp) ??
    evolveTodo(state, event, stamp) ??
    evolveGate(state, event, stamp) ??
    evolveEvidence(state, event, stamp);
  if (next === undefined) throw new Error(`no fold for event ${(event as Event).type}`);
  return touchGoal(next, event, stamp);
}

/** Any write by the holder renews its claims and reservations, and answers a challenge. */
function renewLeases(state: State, agent: string, stamp: Stamp): State {
  let next = state;
  for (const id of state.index.active.size === 0 ? [] : state.index.active.keys()) {
    const todo = state.todos.get(id);
    if (todo?.claim?.holder !== agent) continue;
    const { challenge, ...claim } = todo.claim;
    if (challenge === undefined && claim.renewedAt === stamp.at) continue;
    next = putTodo(next, { ...todo, claim: { ...claim, renewedAt: stamp.at } });
  }
  if (next.reservations.size === 0) return next;
  let { reservations } = next;
  for (const [key, reservation] of next.reservations.entries()) {
    // What a guarded command holds is renewed by its guard alone.
    if (reservation.holder !== agent || reservation.hasWitness) continue;
    reservations = reservations.with(key, { ...reservation, renewedAt: stamp.at });
  }
  return reservations === next.reservations ? next : { ...next, reservations };
}

/** Marks the goal that the event is about as changed by this commit. */
function touchGoal(state: State, event: Event, stamp: Stamp): State {
  const name = goalOf(state, event);
  const goal = name === undefined ? undefined : state.goals.get(name);
  if (!goal || goal.version === stamp.version) return state;
  return { ...state, goals: state.goals.with(goal.goal, { ...goal, version: stamp.version }) };
}

export function goalOf(state: State, event: Event): string | undefined {
  if ('goal' in event && event.goal !== undefined) return event.goal;
  if ('todo' in event && event.todo !== undefined) return state.todos.get(event.todo)?.goal;
  if ('gate' in event && event.gate !== undefined) return state.gates.get(event.gate)?.goal;
  if ('handoff' in event) return state.handoffs.get(event.handoff)?.goal;
  if ('evidence' in event) return state.evidence.get(event.evidence)?.goal;
  return undefined;
}
