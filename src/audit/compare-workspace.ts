import { compareGoal } from './compare-goal.ts';
import type { Tell } from './differences.ts';
import type { Facts } from './facts.ts';
import type { AuditCommit, Raw } from './read-log.ts';
import { subjectDigest } from './signature.ts';

/** The list of goals. */
export function compareGoals(tell: Tell, shown: Raw, facts: Facts): void {
  const names = [...facts.goals.keys()].sort();
  const listed = (shown.goals ?? []).map((goal: Raw) => goal.goal);
  tell.same('total', shown.total, names.length);
  tell.same('shown', shown.shown, listed.length);
  tell.same('first', listed, names.slice(0, listed.length));
  if (shown.nextCursor === undefined) tell.same('goals', listed.length, names.length);
  for (const goal of shown.goals ?? []) compareGoal(tell, goal.goal, goal, facts);
}

/** One page of the agents, each with its session and what it holds. */
export function compareAgents(tell: Tell, shown: Raw, facts: Facts): void {
  tell.same('total', shown.total, facts.agents.size);
  tell.same('shown', shown.shown, shown.agents?.length);
  const claimed = [...facts.todos].filter(([, todo]) => todo.claim !== undefined);
  for (const { agent, session, holds } of shown.agents ?? []) {
    tell.same(`${agent} session`, session, facts.agents.get(agent));
    const held = claimed.filter(([, todo]) => todo.claim?.holder === agent).map(([id]) => id);
    const isHeld = (holds ?? []).every((id: string) => held.includes(id));
    // As long a list as there are todos held, in whatever order, or a cut one.
    tell.list(`${agent} holds`, isHeld ? [...holds.keys()] : holds, [...held.keys()]);
  }
}

/** Commits as they are handed out, beside those of the bytes. */
export function compareCommits(tell: Tell, after: number, shown: Raw, commits: readonly AuditCommit[]): void {
  tell.same('total', shown.total, shown.version - after);
  tell.same('shown', shown.shown, shown.commits?.length);
  for (const [at, commit] of (shown.commits ?? []).entries()) {
    tell.same(`commit ${after + at + 1}`, commit, commits[after + at]);
  }
}

/** How many commits the history says there are about a goal, of all kinds or of one. */
export function compareHistory(tell: Tell, goal: string, kind: string | undefined, shown: Raw, facts: Facts): void {
  const of = (name: string) => facts.commitCounts.get(kind === undefined ? name : `${name} ${kind}`) ?? 0;
  const derived = of(goal) + of('');
  const fact = kind === undefined ? 'commits' : `commits of kind ${kind}`;
  tell.same(`${fact} count`, shown.count, derived);
  tell.same(`${fact} total`, shown.total, derived);
}

/** What the rules forbid and the log has all the same. */
export function compareLaws(tell: Tell, facts: Facts): void {
  for (const { version, fact, shown, rule } of facts.breaches) tell.differ(`version ${version}: ${fact}`, shown, rule);
  for (const [id, gate] of facts.gates) {
    const { blocks } = gate.asked;
    const holdsSomething = blocks.goal || blocks.todos.length > 0;
    if (gate.state !== 'answered' || gate.answer.effect !== 'approve' || !holdsSomething) continue;
    if (subjectDigest(facts, gate) !== gate.digest)
      tell.differ(`approval ${id}`, 'stands', 'what was approved has changed');
  }
}
