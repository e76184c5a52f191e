import { guardClaim, mustHold } from './claim.ts';
import type { HandoffOffer } from './commands.ts';
import { findTodo } from './find.ts';
import { limits } from './limits.ts';
import type { Goal, Handoff, Todo } from './model.ts';
import { badArgument, type Refused } from './refusal.ts';
import { isFor, offerOn } from './runnable.ts';
import type { Result } from './state.ts';
import { refuseEnded } from './todo.ts';
import { normalizeAgent } from './who.ts';
import type { Work } from './work.ts';

/** handoff: gives a todo on, to one agent, to a capability, or to anybody else, with what they need to know. */
export function offerHandoff(work: Work, act: HandoffOffer): Result | Refused {
  const todo = findTodo(work.state, act.todo);
  if ('refusal' in todo) return todo;
  const ended = refuseEnded(work.state.goals.get(todo.goal) as Goal);
  if (ended) return ended;
  const passed = passedOn(work, todo);
  const held = passed ? guardClaim(work, todo, act.token) : mustHold(work, todo, act.token);
  if (held) return held;
  if (passed) work.emit({ type: 'handoff.declined', handoff: passed.handoff, agent: work.agent });
  const handoff = offer(work, todo, act, '');
  return typeof handoff === 'string' ? { goal: todo.goal, todo: todo.todo, handoff } : handoff;
}

/** The handoff that its target answers with one of its own instead of taking it. */
function passedOn(work: Work, todo: Todo): Handoff | undefined {
  const handoff = offerOn(work, todo);
  return handoff && isFor(work, handoff) ? handoff : undefined;
}

export function offer(work: Work, todo: Todo, act: Omit<HandoffOffer, 'todo'>, field: string): string | Refused {
  const named = (name: string) => (field === '' ? name : `${field}.${name}`);
  const { agent, capability, any } = act.to;
  const targets = [agent !== undefined, capability !== undefined, any === true].filter(Boolean).length;
  if (targets !== 1)
    return badArgument(named('to'), 'to names one of agent, capability or any, e.g. {"capability": "review"}.');
  const target = agent === undefined ? undefined : normalizeAgent(agent);
  if (agent !== undefined && (target === undefined || target === work.agent)) {
    return badArgument(named('to.agent'), 'to.agent is another agent, e.g. {"agent": "reviewer"}.');
  }
  const to: Handoff['to'] =
    target !== undefined
      ? { agent: target }
      : capability !== undefined
        ? { capability: capability.trim().toLowerCase() }
        : { any: true };
  const handoff = `H${work.state.counts.handoffs + 1}`;
  work.emit({
    type: 'handoff.offered',
    handoff,
    record: {
      goal: todo.goal,
      todo: todo.todo,
      from: work.agent,
      to,
      summary: act.summary,
      done: act.done ?? [],
      pending: act.pending ?? [],
      files: act.files ?? [],
      risks: act.risks ?? [],
      questions: act.questions ?? [],
      acceptWithinS: act.acceptWithinS ?? limits.acceptWithinSDefault,
    },
  });
  tellTargets(work, handoff, todo);
  return handoff;
}

function tellTargets(work: Work, id: string, todo: Todo): void {
  const handoff = work.state.handoffs.get(id) as Handoff;
  if (handoff.to.any) return;
  for (const peer of work.state.agents.values()) {
    if (!isFor(peer, handoff)) continue;
    work.notify(peer.agent, {
      code: 'handoff-offered',
      todo: todo.todo,
      text: `${work.agent} hands ${todo.todo} over to you (${id}); claim it to accept.`,
    });
  }
}
