import type { Goal, QuotaPolicy, Spend } from './model.ts';

/** What a goal may spend in its sliding window and what it has spent there. */
export interface Budget {
  readonly slots: Ceiling;
  readonly tokens?: Ceiling;
  readonly usd?: Ceiling;
  readonly turns?: Ceiling;
}

export interface Ceiling {
  readonly allowed: number;
  readonly spent: number;
}

export type Currency = 'slots' | 'tokens' | 'usd' | 'turns';

const currencies: readonly Currency[] = ['slots', 'tokens', 'usd', 'turns'];

export const defaultQuota: QuotaPolicy = { windowH: 24, slotMinutes: 1, compute: 1, noProgressLimit: 3 };

export function allowedSlots(quota: QuotaPolicy): number {
  return quota.allowedSlots ?? Math.floor(((quota.windowH * 60) / quota.slotMinutes) * quota.compute);
}

function windowMs(quota: QuotaPolicy): number {
  return quota.windowH * 3_600_000;
}

/** Log time `at`, ms. */
export function budgetOf(goal: Goal, at: number): Budget {
  const spent = spentIn(goal, at);
  const { tokens, usd, turns } = goal.quota;
  return {
    slots: { allowed: allowedSlots(goal.quota), spent: spent.slots },
    ...(tokens === undefined ? {} : { tokens: { allowed: tokens, spent: spent.tokens } }),
    ...(usd === undefined ? {} : { usd: { allowed: usd, spent: spent.usd } }),
    ...(turns === undefined ? {} : { turns: { allowed: turns, spent: spent.turns } }),
  };
}

function spentIn(goal: Goal, at: number): Omit<Spend, 'at'> {
  const sum = { slots: 0, tokens: 0, usd: 0, turns: 0 };
  for (const spend of inWindow(goal, at)) for (const currency of currencies) sum[currency] += spend[currency];
  return { ...sum, usd: cents(sum.usd) };
}

/** The currencies of which nothing is left. */
export function exhausted(budget: Budget): readonly Currency[] {
  return currencies.filter((currency) => {
    const ceiling = budget[currency];
    return ceiling !== undefined && ceiling.spent >= ceiling.allowed;
  });
}

/** Log ms when enough has left the window that none of these is exhausted, or undefined if it never will. */
export function freesAt(goal: Goal, at: number, spentUp: readonly Currency[]): number | undefined {
  const spends = inWindow(goal, at);
  for (const spend of spends) {
    const then = spend.at + windowMs(goal.quota);
    const left = exhausted(budgetOf(goal, then)).filter((currency) => spentUp.includes(currency));
    if (left.length === 0) return then;
  }
  return undefined;
}

/** By which currency this cost would pass its ceiling, and what is left of it. */
export function overBudget(
  goal: Goal,
  at: number,
  cost: Omit<Spend, 'at' | 'turns'>,
): { readonly currency: Currency; readonly left: number } | undefined {
  const budget = budgetOf(goal, at);
  for (const currency of ['slots', 'tokens', 'usd'] as const) {
    const ceiling = budget[currency];
    if (ceiling && cost[currency] > 0 && cents(ceiling.spent + cost[currency]) > ceiling.allowed) {
      return { currency, left: cents(Math.max(0, ceiling.allowed - ceiling.spent)) };
    }
  }
  return undefined;
}

function inWindow(goal: Goal, at: number): readonly Spend[] {
  return goal.spends.filter((spend) => spend.at > at - windowMs(goal.quota));
}

/** Money is summed in floating point; a millionth of a dollar is as fine as it gets. */
function cents(value: number): number {
  return Math.round(value * 1_000_000) / 1_000_000;
}
