import { budgetOf } from '../kernel/budget.ts';
import { wallIso } from '../kernel/clock.ts';
import type { TurnDecision } from '../kernel/decision.ts';
import { turnsOf } from '../kernel/evolve-goal.ts';
import { openGates } from '../kernel/gate-hold.ts';
import type { Goal, Todo } from '../kernel/model.ts';
import type { View } from '../kernel/view.ts';
import { gateLine, howToAnswer } from './gate-view.ts';
import { answerBytes, bytesOf, cut, fitted } from './shape.ts';
import { claimView, todoPacket } from './todo-view.ts';

export interface Asking {
  readonly checkInS: number;
  readonly notifyOwner: boolean;
}

/** What is told before a turn. The packet to work from takes the room that the rest leaves. */
export function decisionView(view: View, goal: Goal, decided: TurnDecision, claimed: Todo | undefined, asking: Asking) {
  const todo = claimed ?? decided.todo;
  const gates = openGates(view.state, goal.goal);
  const shownGates = [...gates].sort((a, b) => Number(b === decided.gate) - Number(a === decided.gate)).slice(0, 3);
  const rest = {
    decision: decided.decision,
    code: decided.code,
    why: decided.why,
    ...(claimed?.claim && { claim: claimView(view, claimed.claim) }),
    ...(decided.fallback && { fallback: decided.fallback }),
    gates: shownGates.map((gate) => ({ ...gateLine(gate), howToAnswer: howToAnswer(view, gate).map((way) => way.do) })),
    gatesTotal: gates.length,
    ...(decided.waiting && {
      waiting: decided.waiting
        .slice(0, 5)
        .map((one) => ({ ...one, until: one.until === undefined ? undefined : wallIso(view.state, one.until) })),
    }),
    spendAllowed: turnsOf(view.state, goal.goal, view.agent).unpaid > 0,
    notify: notifyOf(decided, asking),
    next: { checkInS: asking.checkInS, wakeOn: wakeOn(decided) },
    budget: budgetOf(goal, view.at),
    objective: { text: cut(goal.objective, 300), version: goal.objectiveVersion },
  };
  const small = fitted(rest, 2_400);
  const packet = todo && fitted(todoPacket(view, todo), Math.max(900, answerBytes.decision - bytesOf(small) - 250));
  return { ...small, ...(packet && { todo: packet }) };
}

function notifyOf(decided: TurnDecision, asking: Asking) {
  if (!asking.notifyOwner || !decided.gate) return { owner: false };
  const { gate, question, options } = decided.gate;
  return {
    owner: true,
    text: `${cut(question, 300)} Answer ${gate} with one of: ${options.map((option) => option.key).join(', ')}.`,
  };
}

/** What would change the answer, in words a host or a person can wait for. */
function wakeOn(decided: TurnDecision): readonly string[] {
  switch (decided.decision) {
    case 'run':
    case 'settle':
    case 'replan':
      return [];
    case 'ask_human':
      return [`answer to ${decided.gate?.gate}`, 'any commit on this goal'];
    case 'stop':
      return ['a new goal'];
    default:
      return decided.until === undefined
        ? ['any commit on this goal']
        : ['any commit on this goal', 'the time in next.checkInS'];
  }
}
