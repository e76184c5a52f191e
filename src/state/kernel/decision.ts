/**
 * The question before each turn: may this agent run, and on what? The rows of the table are asked in order and the
 * first that holds decides. Claiming asks the same rows, so that asking and claiming never disagree.
 */
import { budgetOf, exhausted, freesAt } from './budget.ts';
import { ownClaims } from './claim-standing.ts';
import { turnsOf } from './evolve-goal.ts';
import { criteriaOf, openCriteria } from './freshness.ts';
import { heldByName, heldByScope, holdOn, openGates, standingGates } from './gate-hold.ts';
import type { Gate, Goal, Todo } from './model.ts';
import { byRank, type Choice, choose } from './runnable.ts';
import { goalIndex, isClosed } from './state.ts';
import type { View } from './view.ts';
import { type Waiting, waitingOn } from './waiting.ts';

export type DecisionCode =
  | 'store-unhealthy'
  | 'goal-done'
  | 'goal-stopped'
  | 'goal-paused'
  | 'turn-unsettled'
  | 'gate-goal'
  | 'quota-exhausted'
  | 'no-progress'
  | 'continue-claim'
  | 'handoff-offered'
  | 'monitor-due'
  | 'todo-ready'
  | 'fallback-ready'
  | 'gate-todo'
  | 'gate-completion'
  | 'peers-working'
  | 'monitor-future'
  | 'deferred'
  | 'blocked'
  | 'nothing-left'
  | 'nothing-for-you';

export interface TurnDecision {
  readonly decision: 'run' | 'wait' | 'ask_human' | 'settle' | 'replan' | 'stop' | 'repair';
  readonly code: DecisionCode;
  /** One sentence. */
  readonly why: string;
  readonly todo?: Todo;
  readonly gate?: Gate;
  readonly fallback?: Fallback;
  /** When the answer changes by the clock alone, log ms. */
  readonly until?: number;
  /** What stands in the way of which todo, who and until when. */
  readonly waiting?: readonly Waiting[];
}

/** The audit of a safe fallback: which gate is left aside and why the todo has nothing to do with it. */
export interface Fallback {
  readonly gate: string;
  readonly audit: string;
}

/** Rows 1 to 6: what refuses a claim as well. `storeProblem` is the store's own word that it cannot be written. */
export function decideBrake(view: View, goal: Goal, storeProblem?: string): TurnDecision | undefined {
  if (storeProblem !== undefined) {
    return { decision: 'repair', code: 'store-unhealthy', why: `The log cannot be used: ${storeProblem}` };
  }
  if (goal.status === 'done') return { decision: 'stop', code: 'goal-done', why: `Goal ${goal.goal} is done.` };
  if (goal.status === 'stopped') {
    return { decision: 'stop', code: 'goal-stopped', why: `The owner stopped goal ${goal.goal}.` };
  }
  if (goal.status === 'paused' || goal.quota.compute === 0) {
    const how =
      goal.status === 'paused' ? 'is paused until the owner resumes it' : 'has compute 0 until the owner raises it';
    return { decision: 'wait', code: 'goal-paused', why: `Goal ${goal.goal} ${how}.` };
  }
  return unsettled(view, goal) ?? goalGate(view, goal) ?? exhaustion(view, goal);
}

export function decideTurn(view: View, goal: Goal, storeProblem?: string): TurnDecision {
  const brake = decideBrake(view, goal, storeProblem);
  if (brake) return brake;
  const turns = turnsOf(view.state, goal.goal, view.agent);
  if (turns.stalled >= goal.quota.noProgressLimit) {
    return {
      decision: 'replan',
      code: 'no-progress',
      why: `${turns.stalled} turns of yours in a row made no progress; write back once with outcome replan: new or changed todos, or the blocker.`,
    };
  }
  const gates = standingGates(view.state, goal.goal);
  const own = ownClaims(view, goal.goal)
    .filter((todo) => !holdOn(view.state, todo, gates))
    .sort(byRank)[0];
  if (own) return { decision: 'run', code: 'continue-claim', why: `You hold ${own.todo}; go on with it.`, todo: own };
  const choice = choose(view, goal.goal, gates);
  return (
    runnable(view, goal, choice) ??
    humanNeeded(view, goal) ??
    waiting(view, goal) ??
    nothingLeft(view, goal) ?? {
      decision: 'wait',
      code: 'nothing-for-you',
      why: 'What is open is not for you.',
      waiting: waitingOn(view, goal.goal).all,
    }
  );
}

/** Row 4. The agent's claim was granted to a session of its own that is no more: that turn never reported. */
function unsettled(view: View, goal: Goal): TurnDecision | undefined {
  const todo = ownClaims(view, goal.goal).find((own) => own.claim.settledSession !== view.session);
  return (
    todo && {
      decision: 'settle',
      code: 'turn-unsettled',
      why: `You still hold ${todo.todo} from an earlier session; write back how that turn ended, or release it.`,
      todo,
    }
  );
}

/** Row 5. */
function goalGate(view: View, goal: Goal): TurnDecision | undefined {
  const gate = openGates(view.state, goal.goal).find((open) => open.blocks.goal);
  return (
    gate && {
      decision: 'ask_human',
      code: 'gate-goal',
      why: `Gate ${gate.gate} holds the whole goal until the owner answers it.`,
      gate,
    }
  );
}

/** Row 6. */
function exhaustion(view: View, goal: Goal): TurnDecision | undefined {
  const spentUp = exhausted(budgetOf(goal, view.at));
  if (spentUp.length === 0) return undefined;
  const until = freesAt(goal, view.at, spentUp);
  const why = `No ${spentUp.join(', ')} left in the window of ${goal.quota.windowH} h.`;
  return { decision: 'wait', code: 'quota-exhausted', why, ...(until === undefined ? {} : { until }) };
}

/** Rows 9 and 10: what an agent that asks for work is given. */
export function runnable(view: View, goal: Goal, choice: Choice): TurnDecision | undefined {
  const { offered, monitor, work } = choice;
  if (offered) {
    const from = view.state.handoffs.get(offered.handoff ?? '')?.from ?? 'a peer';
    return {
      decision: 'run',
      code: 'handoff-offered',
      why: `${from} hands ${offered.todo} over to you.`,
      todo: offered,
    };
  }
  const isMonitorsTurn = turnsOf(view.state, goal.goal, view.agent).lastRun !== 'monitor';
  if (monitor && (!work || isMonitorsTurn)) {
    return { decision: 'run', code: 'monitor-due', why: `Monitor ${monitor.todo} is due.`, todo: monitor };
  }
  if (!work) return undefined;
  const fallback = fallbackOf(view, goal, choice, work);
  if (!fallback)
    return { decision: 'run', code: 'todo-ready', why: `${work.todo} is the best todo that can run.`, todo: work };
  const why = `A better todo waits for gate ${fallback.gate}; ${work.todo} is independent of it and can run.`;
  return { decision: 'run', code: 'fallback-ready', why, todo: work, fallback };
}

/** The audit that a todo may go on beside an open gate which holds a better one; undefined when none does. */
export function fallbackOf(view: View, goal: Goal, choice: Choice, todo: Todo): Fallback | undefined {
  const byName = openGates(view.state, goal.goal).flatMap((gate) =>
    heldByName(view.state, gate).map((held) => ({ todo: held, gate })),
  );
  const byScope =
    choice.held?.hold.gate.state === 'open' ? [{ todo: choice.held.todo, gate: choice.held.hold.gate }] : [];
  const better = [...byName, ...byScope]
    .filter((held) => byRank(held.todo, todo) < 0)
    .sort((a, b) => byRank(a.todo, b.todo))[0];
  if (!better) return undefined;
  const scope =
    better.gate.protects.paths.length + better.gate.protects.resources.length > 0
      ? 'no scope it had since the gate opened overlaps what the gate protects'
      : 'the gate protects no scope';
  return {
    gate: better.gate.gate,
    audit: `${todo.todo} is not blocked by ${better.gate.gate}, is not downstream of what it blocks, and ${scope}.`,
  };
}

/** Row 11. */
function humanNeeded(view: View, goal: Goal): TurnDecision | undefined {
  const gates = openGates(view.state, goal.goal);
  const byName = gates.flatMap((gate) => heldByName(view.state, gate).map((todo) => ({ todo, gate })));
  const byScope = gates.flatMap((gate) => heldByScope(view.state, gate).map((todo) => ({ todo, gate })));
  const held = [...byName, ...byScope].sort((a, b) => byRank(a.todo, b.todo))[0];
  if (held) {
    const why = `${held.todo.todo} waits for the owner's answer to gate ${held.gate.gate}.`;
    return { decision: 'ask_human', code: 'gate-todo', why, gate: held.gate };
  }
  const completion = gates.find((gate) => gate.kind === 'completion');
  const states = goalIndex(view.state, goal.goal).states;
  if (!completion || states.active > 0 || states.open > 0) return undefined;
  // Evidence that went stale since the gate opened leaves something to do before the owner can say yes.
  if (openCriteria(view, goal.goal).length > 0) return undefined;
  const why = `Everything is in; the owner decides by gate ${completion.gate} whether the goal is done.`;
  return { decision: 'ask_human', code: 'gate-completion', why, gate: completion };
}

/** Row 12. */
function waiting(view: View, goal: Goal): TurnDecision | undefined {
  const on = waitingOn(view, goal.goal);
  for (const code of ['peers-working', 'monitor-future', 'deferred', 'blocked'] as const) {
    const list = on[code];
    const first = list[0];
    if (!first) continue;
    const untils = list.flatMap((one) => one.until ?? []);
    return {
      decision: 'wait',
      code,
      why: `${first.todo}: ${first.what}.`,
      waiting: list,
      ...(untils.length > 0 && { until: Math.min(...untils) }),
    };
  }
  return undefined;
}

/** Row 13. */
function nothingLeft(view: View, goal: Goal): TurnDecision | undefined {
  const open = criteriaOf(view, goal.goal).filter((criterion) => criterion.state === 'open');
  const covered = new Set<string>();
  if (open.length > 0) {
    for (const todo of view.state.todos.values()) {
      if (todo.goal === goal.goal && !isClosed(todo)) for (const criterion of todo.covers) covered.add(criterion);
    }
  }
  const uncovered = open.filter((criterion) => !covered.has(criterion.criterion));
  if (uncovered.length > 0) {
    const list = uncovered
      .map((one) => (one.stale ? `${one.criterion} (stale: ${one.stale})` : one.criterion))
      .join(', ');
    return { decision: 'replan', code: 'nothing-left', why: `No todo covers ${list}; add todos that lead there.` };
  }
  const states = goalIndex(view.state, goal.goal).states;
  const isEmpty = states.open + states.active + states.done + states.blocked + states.deferred === 0;
  if (goal.acceptance.every((criterion) => criterion.dropped !== undefined) && isEmpty) {
    return { decision: 'replan', code: 'nothing-left', why: 'The goal has neither criteria nor todos; add todos.' };
  }
  if (goal.completionDenied && states.open === 0) {
    const words = goal.completionDenied.words === '' ? '' : ` ("${goal.completionDenied.words}")`;
    return {
      decision: 'replan',
      code: 'nothing-left',
      why: `The owner did not take the goal as done${words}; add what is missing.`,
    };
  }
  return undefined;
}
