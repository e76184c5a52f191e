import type { Event } from './events.ts';
import type { Stamp } from './evolve.ts';
import { putTodo } from './index-todo.ts';
import { limits } from './limits.ts';
import type { State } from './state.ts';

/** Folds what concerns agents, their reservations and notices, and the owner's settings. */
export function evolveAgent(state: State, event: Event, stamp: Stamp): State | undefined {
  switch (event.type) {
    case 'agent.joined':
      return joined(state, event, stamp);
    case 'notice.sent': {
      const { type: _, agent, ...notice } = event;
      const list = [...(state.notices.get(agent) ?? []), { ...notice, version: stamp.version }];
      return { ...state, notices: state.notices.with(agent, list.slice(-limits.noticesPerAgent)) };
    }
    case 'reservation.granted': {
      const { type: _, agent, ...grant } = event;
      return {
        ...state,
        reservations: state.reservations.with(reservationKey(event.resource, agent), {
          ...grant,
          holder: agent,
          token: stamp.version,
          renewedAt: stamp.at,
        }),
      };
    }
    case 'reservation.renewed': {
      const key = reservationKey(event.resource, event.agent);
      const old = state.reservations.get(key);
      if (!old) return state;
      const renewed = { ...old, session: event.session, ttlS: event.ttlS, renewedAt: stamp.at };
      return { ...state, reservations: state.reservations.with(key, renewed) };
    }
    case 'reservation.released':
      return { ...state, reservations: state.reservations.without(reservationKey(event.resource, event.agent)) };
    case 'owner.key-set':
      return { ...state, owner: { ...state.owner, publicKey: event.publicKey } };
    case 'owner.min-grade-set':
      return { ...state, owner: { ...state.owner, minGrade: event.minGrade } };
    default:
      return undefined;
  }
}

export function reservationKey(resource: string, agent: string): string {
  return `${resource} ${agent}`;
}

/** The agent's new session stands for it from now on, in its claims and reservations too. */
function joined(state: State, event: Extract<Event, { type: 'agent.joined' }>, stamp: Stamp): State {
  const { agent, session } = event;
  const before = state.agents.get(agent);
  const capabilities = event.capabilities ?? before?.capabilities ?? [];
  const role = event.role ?? before?.role;
  const note = event.note ?? before?.note;
  let sessions = state.sessions;
  if (before && before.session !== session) {
    sessions = sessions.with(
      before.session,
      (sessions.get(before.session) ?? []).filter((other) => other !== agent),
    );
  }
  const bound = sessions.get(session) ?? [];
  if (!bound.includes(agent)) sessions = sessions.with(session, [...bound, agent]);
  const formerSessions =
    before && before.session !== session
      ? [...before.formerSessions, before.session].slice(-8)
      : (before?.formerSessions ?? []);
  let next: State = {
    ...state,
    sessions,
    agents: state.agents.with(agent, {
      agent,
      session,
      host: event.host,
      sessionKind: event.sessionKind,
      ...(event.hostSession === undefined ? {} : { hostSession: event.hostSession }),
      capabilities,
      ...(role === undefined ? {} : { role }),
      ...(note === undefined ? {} : { note }),
      formerSessions,
      joinedAt: stamp.at,
      version: stamp.version,
    }),
  };
  if (!before || before.session === session) return next;
  for (const id of state.index.active.keys()) {
    const todo = state.todos.get(id);
    if (todo?.claim?.holder === agent) next = putTodo(next, { ...todo, claim: { ...todo.claim, session } });
  }
  for (const [key, reservation] of state.reservations.entries()) {
    if (reservation.holder === agent && !reservation.hasWitness) {
      next = { ...next, reservations: next.reservations.with(key, { ...reservation, session }) };
    }
  }
  return next;
}
