import { deriveGate } from './derive-gate.ts';
import { deriveGoal } from './derive-goal.ts';
import { deriveTodo } from './derive-todo.ts';
import { type Facts, noFacts } from './facts.ts';
import { breach, checkCommit } from './laws.ts';
import type { AuditCommit, Raw } from './read-log.ts';

/** The facts after these commits. */
export function derive(commits: readonly AuditCommit[]): Facts {
  const facts = noFacts();
  for (const commit of commits) take(facts, commit);
  return facts;
}

/** Adds one commit to the facts. */
export function take(facts: Facts, commit: AuditCommit): void {
  checkCommit(facts, commit);
  facts.version = commit.version;
  facts.log = commit.log ?? facts.log;
  facts.at = Math.max(facts.at, Date.parse(commit.at));
  for (const event of commit.events) {
    const isKnown =
      deriveGoal(facts, event, commit) ||
      deriveTodo(facts, event, commit) ||
      deriveGate(facts, event, commit) ||
      deriveOther(facts, event, commit);
    if (!isKnown) breach(facts, event, 'an event of this kind', 'this audit knows no such event');
  }
  count(facts, commit);
}

function deriveOther(facts: Facts, event: Raw, commit: AuditCommit): boolean {
  switch (event.type) {
    case 'agent.joined':
      facts.agents.set(event.agent, event.session);
      return true;
    case 'evidence.written': {
      const { record, evidence: id } = event;
      if (facts.evidence.has(id)) breach(facts, event, 'written again', 'an id is given once');
      facts.evidence.set(id, {
        goal: record.goal,
        record,
        at: facts.at,
        supersededBy: undefined,
        confirmations: 0,
        acceptedBy: undefined,
        version: commit.version,
      });
      const todo = facts.todos.get(record.todo);
      if (todo) {
        todo.evidence.push(id);
        todo.version = commit.version;
      }
      const old = facts.evidence.get(record.supersedes);
      if (old) Object.assign(old, { supersededBy: id, version: commit.version });
      return true;
    }
    case 'evidence.confirmed':
    case 'evidence.accepted': {
      const evidence = facts.evidence.get(event.evidence);
      if (!evidence) breach(facts, event, 'evidence', 'there is no such evidence');
      else if (event.type === 'evidence.confirmed') evidence.confirmations++;
      else evidence.acceptedBy = event.name;
      if (evidence) evidence.version = commit.version;
      return true;
    }
    case 'owner.key-set':
      facts.owner.publicKey = event.publicKey;
      return true;
    case 'owner.min-grade-set':
      facts.owner.minGrade = event.minGrade;
      return true;
    case 'clock.corrected':
      facts.offsetMs += event.byMs;
      return true;
    default:
      return /^(reservation|notice)\.[a-z-]+$|^segment\.sealed$/.test(event.type);
  }
}

/** Which goals a commit is about, so that a count over the history can be checked. */
function count(facts: Facts, commit: AuditCommit): void {
  const names = new Set(commit.events.map((event) => goalOf(facts, event) ?? ''));
  const kinds = new Set(commit.events.map((event) => String(event.type).split('.')[0]));
  for (const goal of names.has('') ? [''] : names) {
    for (const key of [goal, ...[...kinds].map((kind) => `${goal} ${kind}`)]) {
      facts.commitCounts.set(key, (facts.commitCounts.get(key) ?? 0) + 1);
    }
  }
}

function goalOf(facts: Facts, event: Raw): string | undefined {
  if (event.goal !== undefined) return event.goal;
  if (event.todo !== undefined) return facts.todos.get(event.todo)?.goal;
  if (event.gate !== undefined) return facts.gates.get(event.gate)?.goal;
  if (event.handoff !== undefined) return facts.handoffs.get(event.handoff);
  return event.evidence === undefined ? undefined : facts.evidence.get(event.evidence)?.goal;
}
