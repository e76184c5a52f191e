import type { Event } from './events.ts';
import type { Stamp } from './evolve.ts';
import { limits } from './limits.ts';
import type { Amendment, Criterion, Goal, GoalStatus, Spend, Turns } from './model.ts';
import type { State } from './state.ts';

/** Folds what concerns goals, their turns and what was spent. */
export function evolveGoal(state: State, event: Event, stamp: Stamp): State | undefined {
  switch (event.type) {
    case 'goal.started': {
      const { type: _, by, ...started } = event;
      return putGoal(state, {
        ...started,
        objectiveVersion: 1,
        status: 'active',
        startedBy: by,
        startedAt: stamp.at,
        version: stamp.version,
        lessons: [],
        spends: [],
        newsVersion: stamp.version,
      });
    }
    case 'goal.amended':
      return change(state, event.goal, (goal) => ({ ...amended(goal, event.amendment), newsVersion: stamp.version }));
    case 'goal.paused':
      return change(state, event.goal, (goal) => ({ ...goal, status: 'paused' }));
    case 'goal.resumed':
      return change(state, event.goal, (goal) => ({ ...goal, status: 'active' }));
    case 'goal.stopped':
      return change(state, event.goal, (goal) => ended(goal, 'stopped', stamp));
    case 'goal.done':
      return change(state, event.goal, (goal) => ended(goal, 'done', stamp));
    case 'goal.lesson-given': {
      const lesson = { text: event.text, at: stamp.at };
      return change(state, event.goal, (goal) => ({
        ...goal,
        lessons: [...goal.lessons, lesson].slice(-limits.lessonsPerGoal),
      }));
    }
    case 'turn.written-back': {
      const paid = event.outcome === 'quiet' ? state : spend(state, event.goal, { ...nothing, turns: 1 }, stamp);
      return changeTurns(paid, event.goal, event.agent, (turns) => afterTurn(turns, event));
    }
    case 'quota.spent': {
      const next = spend(state, event.goal, event.spend, stamp);
      return changeTurns(next, event.goal, event.agent, (turns) => ({
        ...turns,
        unpaid: Math.max(0, turns.unpaid - 1),
      }));
    }
    default:
      return undefined;
  }
}

const nothing: Omit<Spend, 'at'> = { slots: 0, tokens: 0, usd: 0, turns: 0 };

const noTurns: Turns = { stalled: 0, unpaid: 0, hasReplanned: false, hasProgressed: false };

export function turnsOf(state: State, goal: string, agent: string): Turns {
  return state.turns.get(`${goal}/${agent}`) ?? noTurns;
}

export function changeTurns(state: State, goal: string, agent: string, edit: (turns: Turns) => Turns): State {
  return { ...state, turns: state.turns.with(`${goal}/${agent}`, edit(turnsOf(state, goal, agent))) };
}

function putGoal(state: State, goal: Goal): State {
  return { ...state, goals: state.goals.with(goal.goal, goal) };
}

function change(state: State, name: string, edit: (goal: Goal) => Goal): State {
  const goal = state.goals.get(name);
  return goal ? putGoal(state, edit(goal)) : state;
}

function ended(goal: Goal, status: GoalStatus, stamp: Stamp): Goal {
  return { ...goal, status, endedVersion: stamp.version };
}

function afterTurn(turns: Turns, event: Extract<Event, { type: 'turn.written-back' }>): Turns {
  const isIdle = event.outcome === 'quiet' && event.todo === undefined;
  const stalled = event.isProgress || event.outcome === 'replan' ? 0 : turns.stalled + (isIdle ? 0 : 1);
  const unpaid = turns.unpaid + (event.outcome === 'quiet' ? 0 : 1);
  return { ...turns, stalled, unpaid, hasReplanned: false, hasProgressed: false };
}

/** The goal with what the owner changed; any amendment is a new version of the objective. */
function amended(goal: Goal, amendment: Amendment): Goal {
  const { addAcceptance = [], dropAcceptance = [], scope, quota, ...rest } = amendment;
  const kept = goal.acceptance.map((criterion) =>
    dropAcceptance.includes(criterion.id) ? { ...criterion, dropped: 'by the owner' } : criterion,
  );
  return {
    ...goal,
    ...rest,
    acceptance: [...kept, ...numberedCriteria(addAcceptance, kept.length)],
    scope: { ...goal.scope, ...scope },
    quota: { ...goal.quota, ...quota },
    objectiveVersion: goal.objectiveVersion + 1,
  };
}

/** Criteria A(from+1), A(from+2) … for these texts. */
export function numberedCriteria(texts: readonly string[], from = 0): readonly Criterion[] {
  return texts.map((text, at) => ({ id: `A${from + at + 1}`, text }));
}

/** Spends of one window, summed into its 1,440 parts, so that the list stays short however many turns there are. */
function spend(state: State, name: string, cost: Omit<Spend, 'at'>, stamp: Stamp): State {
  return change(state, name, (goal) => {
    const windowMs = goal.quota.windowH * 3_600_000;
    const part = Math.max(1, Math.floor(windowMs / 1_440));
    const kept =
      goal.spends.length > 0 && (goal.spends[0] as Spend).at <= stamp.at - windowMs * 2
        ? goal.spends.filter((old) => old.at > stamp.at - windowMs)
        : goal.spends;
    const last = kept[kept.length - 1];
    if (!last || Math.floor(last.at / part) !== Math.floor(stamp.at / part)) {
      return { ...goal, spends: [...kept, { at: stamp.at, ...cost }] };
    }
    const sum: Spend = {
      at: stamp.at,
      slots: last.slots + cost.slots,
      tokens: last.tokens + cost.tokens,
      usd: last.usd + cost.usd,
      turns: last.turns + cost.turns,
    };
    return { ...goal, spends: [...kept.slice(0, -1), sum] };
  });
}
