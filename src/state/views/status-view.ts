import type { GoalStatusQuery } from '../answer.ts';
import { budgetOf } from '../kernel/budget.ts';
import { wallIso } from '../kernel/clock.ts';
import { turnsOf } from '../kernel/evolve-goal.ts';
import { findEvidence, findGate, findTodo } from '../kernel/find.ts';
import type { Evidence, Gate, Goal, Todo } from '../kernel/model.ts';
import { badArgument, type Refused } from '../kernel/refusal.ts';
import { goalIndex } from '../kernel/state.ts';
import type { View } from '../kernel/view.ts';
import { agentView } from './agent-view.ts';
import { evidenceView } from './evidence-view.ts';
import { gateView, howToAnswer } from './gate-view.ts';
import { summaryView } from './goal-view.ts';
import { reservationsOf } from './reservation-view.ts';
import { answerBytes, bytesOf, cut, cutAll, fitted, paged } from './shape.ts';
import { stateNow, todoPacket, todoView } from './todo-view.ts';

/** What goal_status shows of a goal, by view; the history is read from the log itself (history-view.ts). */
export function statusView(view: View, goal: Goal, query: GoalStatusQuery): object | Refused {
  switch (query.view ?? (query.id === undefined ? 'summary' : viewOfId(query.id))) {
    case 'todos':
      return query.id === undefined ? todoList(view, goal, query) : oneTodo(view, query.id, query);
    case 'gates':
      return query.id === undefined ? gateList(view, goal, query) : oneGate(view, query.id);
    case 'evidence':
      return query.id === undefined ? evidenceList(view, goal, query) : oneEvidence(view, query.id);
    case 'agents':
      return { goal: goal.goal, ...agentList(view, query) };
    case 'quota':
      return {
        goal: goal.goal,
        quota: goal.quota,
        budget: budgetOf(goal, view.at),
        turns: turnsOf(view.state, goal.goal, view.agent),
      };
    case 'reservations':
      return { goal: goal.goal, ...reservationsOf(view, query) };
    default:
      return fitted(summaryView(view, goal), answerBytes.usual);
  }
}

function viewOfId(id: string): 'todos' | 'gates' | 'evidence' | 'summary' {
  return id.startsWith('T') ? 'todos' : id.startsWith('G') ? 'gates' : id.startsWith('E') ? 'evidence' : 'summary';
}

function todoList(view: View, goal: Goal, query: GoalStatusQuery): object | Refused {
  const states = Object.keys(goalIndex(view.state, goal.goal).states);
  if (query.state !== undefined && !states.includes(query.state)) return badState(query.state, states);
  const all = [...view.state.todos.values()].filter(
    (todo) => todo.goal === goal.goal && (query.state === undefined || stateNow(view, todo) === query.state),
  );
  return {
    goal: goal.goal,
    ...listed(
      'todos',
      all,
      (todo) => todo.todo,
      (todo: Todo) => todoView(view, todo),
      query,
    ),
  };
}

function gateList(view: View, goal: Goal, query: GoalStatusQuery): object | Refused {
  const states = ['open', 'answered', 'withdrawn', 'superseded'];
  if (query.state !== undefined && !states.includes(query.state)) return badState(query.state, states);
  const all = [...view.state.gates.values()].filter(
    (gate) => gate.goal === goal.goal && (query.state === undefined || gate.state === query.state),
  );
  return {
    goal: goal.goal,
    ...listed(
      'gates',
      all,
      (gate) => gate.gate,
      (gate: Gate) => gateView(view, gate),
      query,
    ),
  };
}

function evidenceList(view: View, goal: Goal, query: GoalStatusQuery): object {
  const all = [...view.state.evidence.values()].filter(
    (one) => one.goal === goal.goal && (query.state === undefined || one.result === query.state),
  );
  return {
    goal: goal.goal,
    ...listed(
      'evidence',
      all,
      (one) => one.evidence,
      (one: Evidence) => evidenceView(view, one),
      query,
    ),
  };
}

/** What belongs to the workspace and to no goal: its agents, and what is held by name. */
export function sharedView(view: View, query: GoalStatusQuery): object {
  return query.view === 'agents' ? agentList(view, query) : reservationsOf(view, query);
}

function agentList(view: View, query: GoalStatusQuery): object {
  const all = [...view.state.agents.keys()].sort().map((name) => agentView(view, name));
  return listed(
    'agents',
    all,
    (agent) => agent.agent,
    (agent) => agent,
    query,
  );
}

function badState(state: string, states: readonly string[]): Refused {
  return badArgument('state', `state is one of ${states.join(', ')}, not "${state}".`);
}

function listed<T>(
  name: string,
  all: readonly T[],
  keyOf: (item: T) => string,
  show: (item: T) => object,
  query: GoalStatusQuery,
) {
  const bytes = query.limit === undefined ? answerBytes.usual : answerBytes.page;
  const page = paged(all, keyOf, (item) => cutAll(show(item), 400, 20), {
    cursor: query.cursor,
    limit: query.limit,
    bytes,
  });
  const { items, ...counts } = page;
  return { [name]: items, ...counts };
}

/** One todo whole; its notes come in pages, after the first of which the detail is not repeated. */
function oneTodo(view: View, id: string, query: GoalStatusQuery): object | Refused {
  const todo = findTodo(view.state, id);
  if ('refusal' in todo) return todo;
  const { notes: _, notesTotal: __, ...packet } = todoPacket(view, todo) as ReturnType<typeof todoPacket> & object;
  const isFirst = query.cursor === undefined;
  const head = { ...fitted(packet, 9_000), detail: isFirst ? todo.detail : cut(todo.detail, 200) };
  const notes = todo.notes.map((note, at) => ({
    key: String(at + 1),
    note: { ...note, at: wallIso(view.state, note.at) },
  }));
  const room = answerBytes.page - bytesOf(head);
  // Beside a very long detail there may be no room for even one note: then the next page begins with it.
  if (isFirst && notes[0] && bytesOf(notes[0].note) > room) {
    return { goal: todo.goal, todo: { ...head, notes: [] }, shown: 0, total: notes.length, nextCursor: '0' };
  }
  const page = paged(
    notes,
    (one) => one.key,
    (one) => one.note,
    { cursor: query.cursor, limit: query.limit, bytes: room },
  );
  const { items, ...counts } = page;
  return { goal: todo.goal, todo: { ...head, notes: items }, ...counts };
}

function oneGate(view: View, id: string): object | Refused {
  const gate = findGate(view.state, id);
  if ('refusal' in gate) return gate;
  const shown = fitted(gateView(view, gate), 32_000);
  return { goal: gate.goal, gate: shown, ...(gate.state === 'open' && { howToAnswer: howToAnswer(view, gate) }) };
}

function oneEvidence(view: View, id: string): object | Refused {
  const evidence = findEvidence(view.state, id);
  if ('refusal' in evidence) return evidence;
  return { goal: evidence.goal, evidence: fitted(evidenceView(view, evidence), 36_000) };
}
