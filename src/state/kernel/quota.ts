import { budgetOf, overBudget } from './budget.ts';
import type { QuotaSpend, SpendInput } from './commands.ts';
import { turnsOf } from './evolve-goal.ts';
import { findGoal, findTodo } from './find.ts';
import type { Goal } from './model.ts';
import { badArgument, call, type Refused, refuse } from './refusal.ts';
import type { Result } from './state.ts';
import type { Work } from './work.ts';

export type Cost = Required<{ readonly [currency in keyof SpendInput]: number }>;

/** quota_spend: pays for a writeback that is not yet paid; one slot where nothing is said. */
export function spendQuota(work: Work, act: QuotaSpend): Result | Refused {
  const todo = act.todo === undefined ? undefined : findTodo(work.state, act.todo);
  if (todo && 'refusal' in todo) return todo;
  const goal = findGoal(work.state, todo?.goal ?? act.goal);
  if ('refusal' in goal) return goal;
  if (turnsOf(work.state, goal.goal, work.agent).unpaid === 0) {
    return refuse(
      'nothing-to-spend',
      'Nothing of yours waits to be paid: a spend follows a writeback, once each.',
      { goal: goal.goal },
      call(
        'writeback',
        { outcome: 'gap', goal: goal.goal, summary: 'What the turn was spent on' },
        'write the turn back first',
      ),
    );
  }
  const isSilent = act.slots === undefined && act.tokens === undefined && act.usd === undefined;
  const spent = pay(work, goal, isSilent ? { slots: 1 } : act, '', { todo: act.todo, reason: act.reason });
  return 'refusal' in spent ? spent : { goal: goal.goal, spent, ...(act.todo !== undefined && { todo: act.todo }) };
}

/** Records the cost if the window has room for it. */
export function pay(
  work: Work,
  goal: Goal,
  input: SpendInput,
  field: string,
  about: { readonly todo?: string | undefined; readonly reason?: string | undefined },
): Cost | Refused {
  const cost: Cost = { slots: input.slots ?? 0, tokens: input.tokens ?? 0, usd: input.usd ?? 0 };
  const named = (name: string) => (field === '' ? name : `${field}.${name}`);
  for (const [name, value] of Object.entries(cost)) {
    const isWhole = name === 'usd' || Number.isInteger(value);
    if (!(value >= 0 && value <= 1e15) || !isWhole) {
      return badArgument(
        named(name),
        `${name} is ${name === 'usd' ? 'an amount' : 'a whole number'} of 0 or more, e.g. 1.`,
      );
    }
  }
  if (cost.slots + cost.tokens + cost.usd === 0)
    return badArgument(named('slots'), 'Say what was spent, e.g. slots: 1.');
  const over = overBudget(goal, work.at, cost);
  if (over) {
    return refuse(
      'overspent',
      `The budget has ${over.left} ${over.currency} left in this window, not ${cost[over.currency as keyof Cost]}; nothing was written. Send it again with less, or without spend.`,
      { field: named(over.currency), left: over.left, budget: budgetOf(goal, work.at) },
      call('goal_status', { view: 'quota', goal: goal.goal }, 'what is left'),
    );
  }
  work.emit({
    type: 'quota.spent',
    goal: goal.goal,
    agent: work.agent,
    spend: { ...cost, turns: 0 },
    ...(about.todo !== undefined && { todo: about.todo }),
    ...(about.reason !== undefined && { reason: about.reason }),
  });
  return cost;
}
