import type { EventType } from './events.ts';

/** Every kind of event this version folds; the type checker sees to it that none is missing. */
const eventTypes: { readonly [type in EventType]: true } = {
  'agent.joined': true,
  'goal.started': true,
  'goal.amended': true,
  'goal.paused': true,
  'goal.resumed': true,
  'goal.stopped': true,
  'goal.done': true,
  'goal.lesson-given': true,
  'todo.added': true,
  'todo.changed': true,
  'todo.noted': true,
  'todo.opened': true,
  'todo.done': true,
  'todo.dropped': true,
  'todo.blocked': true,
  'todo.deferred': true,
  'todo.choice-made': true,
  'claim.granted': true,
  'claim.taken-over': true,
  'claim.renewed': true,
  'claim.settled': true,
  'claim.challenged': true,
  'gate.asked': true,
  'gate.answered': true,
  'gate.reopened': true,
  'gate.withdrawn': true,
  'gate.superseded': true,
  'gate.lifted': true,
  'evidence.written': true,
  'evidence.confirmed': true,
  'evidence.accepted': true,
  'turn.written-back': true,
  'quota.spent': true,
  'handoff.offered': true,
  'handoff.accepted': true,
  'handoff.declined': true,
  'handoff.ended': true,
  'monitor.reported': true,
  'reservation.granted': true,
  'reservation.renewed': true,
  'reservation.released': true,
  'notice.sent': true,
  'owner.key-set': true,
  'owner.min-grade-set': true,
  'clock.corrected': true,
  'segment.sealed': true,
};

export const eventTypeNames: readonly string[] = Object.keys(eventTypes);

/** Whether this version can fold events of that kind; one it does not know was written by a newer one. */
export function knowsEvent(type: string): boolean {
  return Object.hasOwn(eventTypes, type);
}
