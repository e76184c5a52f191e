import { expiresAt, standingOf } from '../kernel/claim-standing.ts';
import { wallIso } from '../kernel/clock.ts';
import { holdOn, standingGates } from '../kernel/gate-hold.ts';
import type { Claim, Handoff, Todo } from '../kernel/model.ts';
import { offerOn, wakesAt } from '../kernel/runnable.ts';
import type { View } from '../kernel/view.ts';
import { cut } from './shape.ts';

/** A todo as every answer shows it. */
export function todoView(view: View, todo: Todo) {
  const blockedBy = blockers(view, todo);
  return {
    todo: todo.todo,
    goal: todo.goal,
    title: todo.title,
    kind: todo.kind,
    priority: todo.priority,
    state: stateNow(view, todo),
    after: todo.after,
    blockedBy,
    scope: todo.scope,
    acceptance: todo.acceptance.map(({ id, text, dropped }) => ({
      id,
      text,
      ...(dropped !== undefined && { dropped }),
    })),
    ...(todo.covers.length > 0 && { covers: todo.covers }),
    ...(todo.capabilities.length > 0 && { capabilities: todo.capabilities }),
    ...(todo.excludeAgents.length > 0 && { excludeAgents: todo.excludeAgents }),
    ...(todo.parent !== undefined && { parent: todo.parent }),
    ...(todo.claim && { claim: claimView(view, todo.claim) }),
    ...(offerOn(view, todo) && { handoff: todo.handoff }),
    ...(todo.kind === 'monitor' && { everyS: todo.everyS, dueAt: wallIso(view.state, todo.dueAt ?? view.at) }),
    evidence: todo.evidence,
    version: todo.version,
  };
}

/** The state it has by the log, save that a sleeper whose time has come is open. */
export function stateNow(view: View, todo: Todo): Todo['state'] {
  const isAsleep = (todo.state === 'blocked' || todo.state === 'deferred') && todo.deniedBy === undefined;
  const wakes = isAsleep ? wakesAt(view, todo) : undefined;
  return wakes !== undefined && wakes <= view.at ? 'open' : todo.state;
}

function blockers(view: View, todo: Todo): readonly object[] {
  if (todo.state === 'done' || todo.state === 'dropped') return [];
  const hold = holdOn(view.state, todo, standingGates(view.state, todo.goal));
  const list: object[] = hold ? [{ gate: hold.gate.gate }] : [];
  for (const id of todo.after) if (view.state.todos.get(id)?.state !== 'done') list.push({ todo: id });
  if (todo.reason !== undefined && stateNow(view, todo) === todo.state) list.push({ reason: todo.reason });
  return list;
}

export function claimView(view: View, claim: Claim) {
  return {
    holder: claim.holder,
    token: claim.token,
    ttlS: claim.ttlS,
    expiresAt: wallIso(view.state, expiresAt(view, claim)),
    standing: standingOf(view, claim),
    ...(claim.challenge && {
      challenge: {
        by: claim.challenge.by,
        until: wallIso(view.state, claim.challenge.at + claim.challenge.graceS * 1_000),
      },
    }),
  };
}

/** A todo with all that is needed to work on it: detail, notes left, handoff, the owner's choices, lessons. */
export function todoPacket(view: View, todo: Todo, notes = 5) {
  const goal = view.state.goals.get(todo.goal);
  const handoff = todo.handoff === undefined ? undefined : view.state.handoffs.get(todo.handoff);
  return {
    ...todoView(view, todo),
    ...(todo.detail !== '' && { detail: todo.detail }),
    ...(todo.notes.length > 0 && {
      notes: todo.notes
        .slice(-notes)
        .map((note) => ({ by: note.by, at: wallIso(view.state, note.at), text: note.text })),
      notesTotal: todo.notes.length,
    }),
    ...(handoff && { handoff: handoffView(view, handoff) }),
    ...(todo.choices.length > 0 && { ownerSaid: todo.choices }),
    ...(goal && goal.lessons.length > 0 && { lessons: goal.lessons.slice(-3).map((lesson) => lesson.text) }),
  };
}

export function handoffView(view: View, handoff: Handoff) {
  const { at, acceptWithinS, version: _, goal: __, ...rest } = handoff;
  return { ...rest, offeredUntil: wallIso(view.state, at + acceptWithinS * 1_000) };
}

/** A short line for lists of what comes next. */
export function todoLine(view: View, todo: Todo) {
  return {
    todo: todo.todo,
    title: cut(todo.title, 120),
    priority: todo.priority,
    state: stateNow(view, todo),
    ...(todo.claim && { holder: todo.claim.holder }),
  };
}
