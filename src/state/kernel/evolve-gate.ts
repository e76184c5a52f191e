import type { Event } from './events.ts';
import type { Stamp } from './evolve.ts';
import type { Gate } from './model.ts';
import { goalIndex, type State } from './state.ts';

/** Folds what concerns gates. */
export function evolveGate(state: State, event: Event, stamp: Stamp): State | undefined {
  switch (event.type) {
    case 'gate.asked': {
      const asked = {
        ...event.asked,
        gate: event.gate,
        goal: event.goal,
        askedBy: event.by,
        askedAt: stamp.at,
        state: 'open',
        revision: 1,
        openedVersion: stamp.version,
        version: stamp.version,
      } as const;
      return putGate({ ...state, counts: { ...state.counts, gates: state.counts.gates + 1 } }, asked);
    }
    case 'gate.answered':
      return answered(state, event, stamp);
    case 'gate.reopened':
      return edit(state, event.gate, stamp, ({ answer: _, closedWhy: __, ...gate }) => ({
        ...gate,
        state: 'open',
        revision: gate.revision + 1,
        openedVersion: stamp.version,
        subjectDigest: event.subjectDigest,
        closedWhy: event.why,
      }));
    case 'gate.withdrawn':
      return edit(state, event.gate, stamp, (gate) => ({ ...gate, state: 'withdrawn', closedWhy: event.why }));
    case 'gate.superseded':
      return edit(state, event.gate, stamp, (gate) => ({ ...gate, state: 'superseded', closedWhy: event.why }));
    case 'gate.lifted':
      return edit(state, event.gate, stamp, (gate) => ({
        ...gate,
        state: 'withdrawn',
        closedWhy: `denial lifted: ${event.words}`,
      }));
    default:
      return undefined;
  }
}

function answered(state: State, event: Extract<Event, { type: 'gate.answered' }>, stamp: Stamp): State {
  const answer = { ...event.answer, at: stamp.at };
  const next = edit(state, event.gate, stamp, (gate) => ({ ...gate, state: 'answered', answer }));
  const gate = next.gates.get(event.gate);
  const goal = gate && next.goals.get(gate.goal);
  if (gate?.kind !== 'completion' || !goal || answer.effect !== 'deny') return next;
  const completionDenied = { version: stamp.version, words: answer.words };
  return { ...next, goals: next.goals.with(goal.goal, { ...goal, completionDenied }) };
}

function edit(state: State, id: string, stamp: Stamp, change: (gate: Gate) => Gate): State {
  const gate = state.gates.get(id);
  return gate ? putGate(state, { ...change(gate), version: stamp.version }) : state;
}

/** Whether the gate says no to something until the owner lifts it. */
export function isDenial(gate: Gate): boolean {
  return gate.state === 'answered' && gate.answer?.effect === 'deny' && gate.kind !== 'completion';
}

function putGate(state: State, gate: Gate): State {
  const index = goalIndex(state, gate.goal);
  const others = (list: readonly string[]) => list.filter((id) => id !== gate.gate);
  const holdsSomething = gate.blocks.goal || gate.blocks.todos.length > 0;
  const isApproval = gate.state === 'answered' && gate.answer?.effect === 'approve' && holdsSomething;
  const next = {
    ...index,
    gates: gate.state === 'open' || isDenial(gate) ? [...others(index.gates), gate.gate] : others(index.gates),
    approvals: isApproval ? [...others(index.approvals), gate.gate] : others(index.approvals),
  };
  return {
    ...state,
    gates: state.gates.with(gate.gate, gate),
    index: { ...state.index, goals: state.index.goals.with(gate.goal, next) },
  };
}
