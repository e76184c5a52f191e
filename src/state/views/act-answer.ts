import { budgetOf } from '../kernel/budget.ts';
import { wallIso } from '../kernel/clock.ts';
import type { Act } from '../kernel/commands.ts';
import type { Evidence, Gate, Goal, Handoff, Todo } from '../kernel/model.ts';
import type { Result } from '../kernel/state.ts';
import type { View } from '../kernel/view.ts';
import { agentView, peersOf } from './agent-view.ts';
import { evidenceView } from './evidence-view.ts';
import { gateView, howToAnswer } from './gate-view.ts';
import { goalView } from './goal-view.ts';
import { reservationsOf } from './reservation-view.ts';
import { cut } from './shape.ts';
import { claimView, handoffView, todoLine, todoPacket, todoView } from './todo-view.ts';

/** The fields of the answer to an act, made from what it was about and the state as it is now. */
export function actAnswer(view: View, act: Act, result: Result): object {
  const goal = result.goal === undefined ? undefined : view.state.goals.get(result.goal);
  const todo = result.todo === undefined ? undefined : view.state.todos.get(result.todo);
  const about = { ...(goal && { goal: goal.goal }), ...(result.repeat !== undefined && { repeat: result.repeat }) };
  switch (act.type) {
    case 'agent.join':
      return { agent: agentView(view, result.agent ?? view.agent), ...peersOf(view) };
    case 'goal.start':
      return {
        goal: goal && goalView(view, goal),
        todos: todosOf(view, result.reused ? [] : result.todos),
        ...(result.reused && { reused: true }),
      };
    case 'todo.add':
      return { ...about, todos: todosOf(view, result.todos) };
    case 'todo.claim':
      return { ...about, ...claimAnswer(view, todo, result) };
    case 'todo.update':
      return {
        ...about,
        ...(todo && { todo: todoView(view, todo), ...(todo.claim && { claim: claimView(view, todo.claim) }) }),
      };
    case 'gate.ask':
    case 'gate.answer':
    case 'gate.withdraw':
    case 'gate.supersede':
    case 'gate.lift':
      return { ...about, ...gateAnswer(view, result.gate) };
    case 'evidence.write':
    case 'evidence.accept':
      return { ...about, ...evidenceAnswer(view, result.evidence?.[0]) };
    case 'writeback':
      return { ...about, ...writebackAnswer(view, goal, todo, result) };
    case 'quota.spend':
      return { ...about, spent: result.spent, ...(goal && { budget: budgetOf(goal, view.at) }) };
    case 'handoff':
      return { ...about, ...(todo && { todo: todoView(view, todo) }), handoff: handoffOf(view, result.handoff) };
    case 'monitor.report':
      return { ...about, ...monitorAnswer(view, todo) };
    case 'reserve':
      return { ...about, ...reservationsOf(view, { resources: result.resources }) };
    default:
      return goal ? { ...about, goal: goalView(view, goal) } : about;
  }
}

/** More todos than this are shown as a short line each, so that all ids of a large call come back. */
const mostWhole = 8;
const lineTitleChars = 30;

function todosOf(view: View, ids: readonly string[] = []): readonly object[] {
  const todos = ids.map((id) => view.state.todos.get(id) as Todo);
  if (ids.length <= mostWhole) return todos.map((todo) => todoView(view, todo));
  return todos.map((todo) => ({ ...todoLine(view, todo), title: cut(todo.title, lineTitleChars) }));
}

function claimAnswer(view: View, todo: Todo | undefined, result: Result): object {
  return {
    ...(todo && { todo: todoPacket(view, todo) }),
    ...(todo?.claim && { claim: claimView(view, todo.claim) }),
    ...(result.fallback && { fallback: result.fallback }),
    ...(result.challenge && { challenged: true }),
  };
}

function gateAnswer(view: View, id: string | undefined): object {
  const gate = view.state.gates.get(id ?? '') as Gate;
  return { gate: gateView(view, gate), ...(gate.state === 'open' && { howToAnswer: howToAnswer(view, gate) }) };
}

function evidenceAnswer(view: View, id: string | undefined): object {
  const evidence = view.state.evidence.get(id ?? '') as Evidence;
  const confirmed = evidence.confirms === undefined ? undefined : view.state.evidence.get(evidence.confirms);
  return { evidence: evidenceView(view, evidence), ...(confirmed && { confirmed: evidenceView(view, confirmed) }) };
}

function writebackAnswer(view: View, goal: Goal | undefined, todo: Todo | undefined, result: Result): object {
  return {
    ...(todo && { todo: todoView(view, todo) }),
    ...(todo?.claim && { claim: claimView(view, todo.claim) }),
    evidence: (result.evidence ?? []).map((id) => evidenceView(view, view.state.evidence.get(id) as Evidence)),
    successors: todosOf(view, result.successors),
    ...(result.handoff !== undefined && { handoff: handoffOf(view, result.handoff) }),
    spent: result.spent ?? { slots: 0, tokens: 0, usd: 0 },
    ...(goal && { budget: budgetOf(goal, view.at) }),
    next: { tool: 'quota_should_run', arguments: { goal: goal?.goal }, why: 'what the next turn is' },
  };
}

function handoffOf(view: View, id: string | undefined): object {
  return handoffView(view, view.state.handoffs.get(id ?? '') as Handoff);
}

function monitorAnswer(view: View, todo: Todo | undefined): object {
  if (!todo) return {};
  const dueAt = todo.dueAt ?? view.at;
  return {
    todo: todoView(view, todo),
    next: { dueAt: wallIso(view.state, dueAt), dueInS: Math.max(0, Math.ceil((dueAt - view.at) / 1_000)) },
  };
}
