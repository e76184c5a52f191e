import type { Facts, GoalFacts, SpendFacts } from './facts.ts';
import { breach } from './laws.ts';
import type { AuditCommit, Raw } from './read-log.ts';

const statusAfter: { readonly [type: string]: string } = {
  'goal.paused': 'paused',
  'goal.resumed': 'active',
  'goal.stopped': 'stopped',
  'goal.done': 'done',
};

/** What an event says of a goal; answers whether it is about one. */
export function deriveGoal(facts: Facts, event: Raw, _commit: AuditCommit): boolean {
  const isSpend = event.type === 'quota.spent' || event.type === 'turn.written-back';
  if (!isSpend && !String(event.type).startsWith('goal.')) return false;
  if (event.type === 'goal.started') {
    if (facts.goals.has(event.goal)) breach(facts, event, 'started again', 'a goal is started once');
    const { title, objective, acceptance, quota } = event;
    const goal = { status: 'active', title, objective, objectiveVersion: 1, acceptance, quota, spends: [], partMs: 0 };
    facts.goals.set(event.goal, goal);
    setQuota(goal, {});
    return true;
  }
  const goal = facts.goals.get(event.goal);
  if (!goal) breach(facts, event, 'goal', 'there is no such goal');
  else if (event.type === 'goal.amended') amend(goal, event.amendment);
  else if (event.type === 'quota.spent') goal.spends.push({ at: facts.at, ...nothing, ...event.spend });
  else if (event.type === 'turn.written-back') {
    if (event.outcome !== 'quiet') goal.spends.push({ at: facts.at, ...nothing, turns: 1 });
  } else goal.status = statusAfter[event.type] ?? goal.status;
  return true;
}

const nothing: Omit<SpendFacts, 'at'> = { slots: 0, tokens: 0, usd: 0, turns: 0 };

function amend(goal: GoalFacts, amendment: Raw): void {
  goal.title = amendment.title ?? goal.title;
  goal.objective = amendment.objective ?? goal.objective;
  goal.objectiveVersion++;
  const kept = goal.acceptance.map((one) =>
    amendment.dropAcceptance?.includes(one.id) ? { ...one, dropped: 'by the owner' } : one,
  );
  const added = (amendment.addAcceptance ?? []).map((text: string, at: number) => ({
    id: `A${kept.length + at + 1}`,
    text,
  }));
  goal.acceptance = [...kept, ...added];
  setQuota(goal, amendment.quota ?? {});
}

function setQuota(goal: GoalFacts, change: Raw): void {
  goal.quota = { ...goal.quota, ...change };
  goal.partMs = Math.max(goal.partMs, windowMs(goal) / 1_440);
}

/** The stretch (ms) over which spends count against the ceiling. */
export function windowMs(goal: GoalFacts): number {
  return goal.quota.windowH * 3_600_000;
}
