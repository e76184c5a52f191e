import {
  allowedSlots,
  claimedIn,
  gateStates,
  gatesIn,
  idsOf,
  type Moment,
  momentOf,
  spentIn,
  todoStates,
  todosIn,
} from './counts.ts';
import { isCutOf, type Tell } from './differences.ts';
import type { Facts, GoalFacts } from './facts.ts';
import type { Raw } from './read-log.ts';

/** goal_status: the goal, its counts, what waits for the owner, who works on what, the budget. */
export function compareSummary(tell: Tell, name: string, shown: Raw, facts: Facts): void {
  const now = momentOf(facts, shown.asOf);
  compareGoal(tell, name, shown.goal, facts);
  compareCounts(tell, name, shown.counts, facts, now);
  compareOpenGates(tell, name, shown.gates, shown.total?.gates, facts);
  const claimed = claimedIn(facts, name);
  tell.same('claims total', shown.total?.claims, claimed.length);
  compareShown(tell, 'claims', shown.claims, shown.shown?.claims, Math.min(10, claimed.length));
  for (const claim of shown.claims ?? []) compareClaim(tell, claim.todo, claim, facts);
  compareBudget(tell, name, shown.budget, facts, now);
}

/** review_packet of a goal. */
export function compareReview(tell: Tell, name: string, shown: Raw, facts: Facts): void {
  const { whatChanged, openGates } = shown.packet ?? {};
  compareCounts(tell, name, whatChanged?.counts, facts, momentOf(facts, shown.asOf));
  compareOpenGates(tell, name, openGates, undefined, facts);
}

/** quota_should_run, looked at and not asked: what it says beside the decision. */
export function compareLook(tell: Tell, name: string, shown: Raw, facts: Facts): void {
  const goal = facts.goals.get(name) as GoalFacts;
  compareOpenGates(tell, name, shown.gates, shown.gatesTotal, facts);
  compareBudget(tell, name, shown.budget, facts, momentOf(facts, shown.asOf));
  tell.text('objective', shown.objective?.text, goal.objective);
  tell.same('objective version', shown.objective?.version, goal.objectiveVersion);
}

export function compareQuota(tell: Tell, name: string, shown: Raw, facts: Facts): void {
  tell.same('quota', shown.quota, facts.goals.get(name)?.quota);
  compareBudget(tell, name, shown.budget, facts, momentOf(facts, shown.asOf));
}

/** A goal as every answer shows it. */
export function compareGoal(tell: Tell, name: string, shown: Raw, facts: Facts): void {
  const goal = facts.goals.get(name);
  if (!goal || !shown) {
    tell.differ(`goal ${name}`, shown && 'shown', goal && 'in the log');
    return;
  }
  tell.same('goal', shown.goal, name);
  tell.same('status', shown.status, goal.status);
  tell.text('title', shown.title, goal.title);
  tell.text('objective', shown.objective, goal.objective);
  tell.same('objective version', shown.objectiveVersion, goal.objectiveVersion);
  const ids = goal.acceptance.map(({ id }) => id);
  tell.list(
    'criteria',
    shown.acceptance?.map(({ id }: Raw) => id),
    ids,
  );
  for (const { id, text, state, evidence } of shown.acceptance ?? []) {
    const criterion = goal.acceptance.find((one) => one.id === id);
    if (!criterion) continue;
    if (!isCutOf(text, criterion.text)) tell.differ(`criterion ${id}`, text, criterion.text);
    tell.same(`criterion ${id} dropped`, state === 'dropped', criterion.dropped !== undefined);
    if (state === 'met') compareMeeting(tell, id, evidence, facts);
  }
}

/** A criterion is met by passing evidence of the same goal that nothing has superseded. */
function compareMeeting(tell: Tell, criterion: string, id: string, facts: Facts): void {
  const evidence = facts.evidence.get(id);
  const is = evidence && (evidence.supersededBy === undefined ? evidence.record.result : 'superseded');
  tell.same(`criterion ${criterion} met by ${id}`, 'pass', is ?? 'no such evidence');
}

function compareCounts(tell: Tell, name: string, shown: Raw, facts: Facts, now: Moment): void {
  for (const state of todoStates)
    tell.same(`todos ${state}`, shown?.todos?.[state], todosIn(facts, name, state, now).length);
  for (const state of gateStates)
    tell.same(`gates ${state}`, shown?.gates?.[state], gatesIn(facts, name, state).length);
  tell.same('evidence', shown?.evidence, idsOf(facts.evidence, name).length);
}

/** Open gates by a short list that may leave some out, and how many there are. */
function compareOpenGates(tell: Tell, name: string, shown: Raw, total: unknown, facts: Facts): void {
  const open = gatesIn(facts, name, 'open');
  if (total !== undefined) tell.same('open gates total', total, open.length);
  if (open.length > 0 && !(shown?.length > 0)) tell.differ('open gates', shown, open);
  for (const { gate, question } of shown ?? []) {
    if (!open.includes(gate)) tell.differ(`open gate ${gate}`, 'open', facts.gates.get(gate)?.state);
    else tell.text(`question of ${gate}`, question, facts.gates.get(gate)?.asked.question);
  }
}

/** "shown N" of a list that may have been cut to fit. */
function compareShown(tell: Tell, what: string, list: Raw, said: unknown, expected: number): void {
  tell.same(`${what} shown`, said, expected);
  tell.list(`${what} listed`, Array(list?.length ?? 0).fill(0), Array(expected).fill(0));
}

export function compareClaim(tell: Tell, todo: string, shown: Raw, facts: Facts): void {
  const claim = facts.todos.get(todo)?.claim;
  const seen = shown && { holder: shown.holder, token: shown.token, ttlS: shown.ttlS };
  tell.same(`claim of ${todo}`, seen, claim);
}

function compareBudget(tell: Tell, name: string, shown: Raw, facts: Facts, now: Moment): void {
  const goal = facts.goals.get(name) as GoalFacts;
  const { tokens, usd, turns } = goal.quota;
  const ceilings = { slots: allowedSlots(goal), tokens, usd, turns };
  for (const currency of ['slots', 'tokens', 'usd', 'turns'] as const) {
    tell.same(`${currency} allowed`, shown?.[currency]?.allowed, ceilings[currency]);
    if (ceilings[currency] === undefined) continue;
    const spent = shown?.[currency]?.spent;
    const { least, most } = spentIn(goal, currency, now);
    const isWithin = typeof spent === 'number' && spent >= least && spent <= most;
    if (!isWithin) tell.differ(`${currency} spent`, spent, least === most ? least : { least, most });
  }
}
