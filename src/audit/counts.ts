import { windowMs } from './derive-goal.ts';
import type { EvidenceFacts, Facts, GoalFacts, TodoFacts } from './facts.ts';

/** A moment of the log's clock, ms, and how far that clock is ahead of people's. */
export interface Moment {
  readonly at: number;
  readonly offsetMs: number;
}

/** A clock further behind the log than this is taken to be the right one, and the log's to have run ahead. */
const behindMsMax = 600_000;

/** The log's time at a moment of people's clocks (ISO 8601). */
export function momentOf(facts: Facts, asOf: unknown): Moment {
  const at = Date.parse(String(asOf)) + facts.offsetMs;
  const behindMs = facts.at - at;
  if (!(behindMs > 0)) return { at, offsetMs: facts.offsetMs };
  return { at: facts.at, offsetMs: facts.offsetMs + (behindMs > behindMsMax ? behindMs : 0) };
}

/** The state that a reader sees: a sleeper whose time has come is open, save what the owner denied. */
export function stateAt(todo: TodoFacts, now: Moment): string {
  const isAsleep = (todo.state === 'blocked' || todo.state === 'deferred') && !todo.isDenied;
  return isAsleep && todo.wakesAt !== undefined && todo.wakesAt + now.offsetMs <= now.at ? 'open' : todo.state;
}

export const todoStates = ['open', 'active', 'done', 'blocked', 'deferred', 'dropped'];
export const gateStates = ['open', 'answered', 'withdrawn', 'superseded'];
export const evidenceResults = ['pass', 'fail', 'inconclusive', 'info'];

/** The ids of a goal's things, in the order they came. */
export function idsOf(things: ReadonlyMap<string, { readonly goal: string }>, goal: string): readonly string[] {
  return [...things].filter(([, thing]) => thing.goal === goal).map(([id]) => id);
}

export function todosIn(facts: Facts, goal: string, state: string, now: Moment): readonly string[] {
  return idsOf(facts.todos, goal).filter((id) => stateAt(facts.todos.get(id) as TodoFacts, now) === state);
}

export function gatesIn(facts: Facts, goal: string, state: string): readonly string[] {
  return idsOf(facts.gates, goal).filter((id) => facts.gates.get(id)?.state === state);
}

export function claimedIn(facts: Facts, goal: string): readonly string[] {
  return idsOf(facts.todos, goal).filter((id) => facts.todos.get(id)?.claim !== undefined);
}

export function allowedSlots(goal: GoalFacts): number {
  const { allowedSlots: fixed, windowH, slotMinutes, compute } = goal.quota;
  return fixed ?? Math.floor(((windowH * 60) / slotMinutes) * compute);
}

/**
 * What was spent within the window: at least, and at most. The control plane sums neighbours, so that for a while a
 * spend just out of the window may still be counted with one just inside.
 */
export function spentIn(goal: GoalFacts, currency: 'slots' | 'tokens' | 'usd' | 'turns', now: Moment) {
  const sum = (fromMs: number) => {
    const spends = goal.spends.filter((spend) => spend.at > fromMs);
    return Math.round(spends.reduce((total, spend) => total + spend[currency], 0) * 1e6) / 1e6;
  };
  const from = now.at - windowMs(goal);
  return { least: sum(from), most: sum(from - goal.partMs) };
}

/** How much evidence is worth. */
export function gradeOf({ acceptedBy, confirmations, record }: EvidenceFacts): string {
  if (acceptedBy !== undefined) return 'owner';
  if (confirmations > 0) return 'peer';
  return record.files.length + record.globs.length > 0 || record.commit !== undefined ? 'pinned' : 'claimed';
}

/** Why evidence cannot be fresh, whatever its files are; undefined when it can. */
export function staleByLog(evidence: EvidenceFacts, now: Moment): string | undefined {
  if (evidence.supersededBy !== undefined) return `superseded by ${evidence.supersededBy}`;
  const { validForS } = evidence.record;
  return validForS !== undefined && now.at > evidence.at + validForS * 1_000
    ? `valid for ${validForS} s only`
    : undefined;
}
