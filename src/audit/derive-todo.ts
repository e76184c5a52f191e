import type { Facts, TodoFacts } from './facts.ts';
import { breach } from './laws.ts';
import type { AuditCommit, Raw } from './read-log.ts';

/** What an event says of a todo and the claim on it; answers whether it is about one. */
export function deriveTodo(facts: Facts, event: Raw, commit: AuditCommit): boolean {
  const [thing] = String(event.type).split('.');
  if (thing === 'handoff') return deriveHandoff(facts, event, commit);
  if (thing !== 'todo' && thing !== 'claim' && thing !== 'monitor') return false;
  if (event.type === 'todo.added') {
    if (facts.todos.has(event.todo)) breach(facts, event, 'added again', 'an id is given once');
    const { goal, spec } = event;
    const rest = { claim: undefined, takenFrom: undefined, isDenied: false, version: commit.version };
    const state = spec.resumeWhen === undefined ? 'open' : 'deferred';
    facts.todos.set(event.todo, { goal, spec, state, ...rest, wakesAt: timeOf(spec.resumeWhen), evidence: [] });
    return true;
  }
  const todo = facts.todos.get(event.todo);
  if (!todo) {
    breach(facts, event, 'todo', 'there is no such todo');
    return true;
  }
  // Renewals leave the todo as it is.
  if (thing !== 'claim' || event.type === 'claim.granted' || event.type === 'claim.taken-over')
    todo.version = commit.version;
  change(facts, todo, event, commit);
  return true;
}

function change(facts: Facts, todo: TodoFacts, event: Raw, commit: AuditCommit): void {
  switch (event.type) {
    case 'todo.changed':
      todo.spec = { ...todo.spec, ...event.change };
      if (event.change.resumeWhen !== undefined) todo.wakesAt = timeOf(event.change.resumeWhen);
      break;
    case 'todo.opened':
    case 'monitor.reported':
      enter(todo, 'open');
      break;
    case 'todo.done':
    case 'todo.dropped':
      enter(todo, event.type.slice('todo.'.length));
      break;
    case 'todo.blocked':
    case 'todo.deferred':
      enter(todo, event.type.slice('todo.'.length));
      todo.wakesAt = timeOf(event.resumeWhen);
      todo.isDenied = event.deniedBy !== undefined;
      break;
    case 'claim.taken-over':
      if (todo.claim?.holder !== event.from) breach(facts, event, `from ${event.from}`, `${holderOf(todo)} held it`);
      todo.takenFrom = event.from;
      break;
    case 'claim.granted':
      if (todo.claim && todo.takenFrom !== todo.claim.holder)
        breach(facts, event, `to ${event.agent}`, `${holderOf(todo)} held it and nothing took it from them`);
      if (todo.state === 'done' || todo.state === 'dropped')
        breach(facts, event, `to ${event.agent}`, `it was ${todo.state}`);
      enter(todo, 'active');
      todo.claim = { holder: event.agent, token: commit.version, ttlS: event.ttlS };
      break;
    case 'claim.renewed':
      if (todo.claim) todo.claim.ttlS = event.ttlS ?? todo.claim.ttlS;
      else breach(facts, event, 'a claim', 'nobody held it');
      break;
  }
}

function deriveHandoff(facts: Facts, event: Raw, commit: AuditCommit): boolean {
  if (event.type !== 'handoff.offered') return /^handoff\.(accepted|declined|ended)$/.test(event.type);
  facts.handoffs.set(event.handoff, event.record.goal);
  const todo = facts.todos.get(event.record.todo);
  if (!todo) breach(facts, event, 'todo', 'there is no such todo');
  else {
    enter(todo, 'open');
    todo.version = commit.version;
  }
  return true;
}

/** A claim, a time to wake at and a denial belong to the state they were made in. */
function enter(todo: TodoFacts, state: string): void {
  Object.assign(todo, { state, claim: undefined, takenFrom: undefined, wakesAt: undefined, isDenied: false });
}

function timeOf(when: Raw): number | undefined {
  const at = Date.parse(when?.at);
  return Number.isNaN(at) ? undefined : at;
}

function holderOf(todo: TodoFacts): string {
  return todo.claim?.holder ?? 'nobody';
}
