import type { Query } from '../answer.ts';
import { standingOf } from '../kernel/claim-standing.ts';
import { findGate, findGoal, findTodo } from '../kernel/find.ts';
import { openGates } from '../kernel/gate-hold.ts';
import type { Evidence, Gate, Goal, Todo } from '../kernel/model.ts';
import type { Refused } from '../kernel/refusal.ts';
import type { View } from '../kernel/view.ts';
import { evidenceView } from './evidence-view.ts';
import { gateLine, gateView, howToAnswer } from './gate-view.ts';
import { activeTodos, attentionOf, countsOf, goalView } from './goal-view.ts';
import { cut, fitted } from './shape.ts';
import { todoView } from './todo-view.ts';

/** What somebody needs to decide about a gate, a todo or a goal, in at most 4 KB. */
export function reviewPacket(view: View, query: Extract<Query, { type: 'review.packet' }>): object | Refused {
  if (query.gate !== undefined) {
    const gate = findGate(view.state, query.gate);
    return 'refusal' in gate ? gate : packet(gate.goal, aboutGate(view, gate));
  }
  if (query.todo !== undefined) {
    const todo = findTodo(view.state, query.todo);
    return 'refusal' in todo ? todo : packet(todo.goal, aboutTodo(view, todo));
  }
  const goal = findGoal(view.state, query.goal);
  return 'refusal' in goal ? goal : packet(goal.goal, aboutGoal(view, goal));
}

function packet(goal: string, body: object): object {
  return { goal, packet: fitted(body, 3_600) };
}

function aboutGate(view: View, gate: Gate): object {
  const { options, blocks, protects, changes, context, recommend } = gateView(view, gate) as ReturnType<
    typeof gateView
  > & { changes?: readonly string[]; context?: string; recommend?: string };
  const todos = blocks.todos.map((id) => view.state.todos.get(id) as Todo);
  return {
    decisionWanted: {
      gate: gate.gate,
      state: gate.state,
      question: gate.question,
      options,
      recommend,
      howToAnswer: howToAnswer(view, gate),
    },
    whatChanged: {
      blocks: todos.map((todo) => ({
        todo: todo.todo,
        title: todo.title,
        detail: cut(todo.detail, 400),
        scope: todo.scope,
      })),
      protects,
      changes,
      context,
    },
    evidence: evidenceOf(view, [...gate.evidence, ...todos.flatMap((todo) => todo.evidence)]),
    openGates: openGates(view.state, gate.goal)
      .filter((other) => other !== gate)
      .slice(0, 3)
      .map(gateLine),
    risks: todos.flatMap((todo) => risksOf(view, todo)),
  };
}

function aboutTodo(view: View, todo: Todo): object {
  const notes = todo.notes.slice(-5).map((note) => `${note.by}: ${cut(note.text, 300)}`);
  return {
    decisionWanted: { todo: todo.todo, question: `Is ${todo.todo} as it should be?`, state: todo.state },
    whatChanged: { ...todoView(view, todo), detail: todo.detail, notes },
    evidence: evidenceOf(view, todo.evidence),
    openGates: openGates(view.state, todo.goal)
      .filter((gate) => gate.blocks.todos.includes(todo.todo))
      .map(gateLine),
    risks: risksOf(view, todo),
  };
}

function aboutGoal(view: View, goal: Goal): object {
  const gates = openGates(view.state, goal.goal);
  return {
    decisionWanted: gates[0] ? gateLine(gates[0]) : { question: `Is goal ${goal.goal} on its way?` },
    whatChanged: { goal: goalView(view, goal), counts: countsOf(view, goal.goal) },
    evidence: evidenceOf(
      view,
      [...view.state.evidence.values()].filter((one) => one.goal === goal.goal).map((one) => one.evidence),
    ),
    openGates: gates.slice(0, 5).map(gateLine),
    risks: [
      ...attentionOf(view, goal).map((one) => one.text),
      ...activeTodos(view, goal.goal).flatMap((todo) => risksOf(view, todo)),
    ],
  };
}

/** The newest first, as many as help to decide. */
function evidenceOf(view: View, ids: readonly string[]): readonly object[] {
  return [...new Set(ids)]
    .slice(-8)
    .reverse()
    .map((id) => {
      const { evidence, kind, result, summary, grade, fresh, stale } = evidenceView(
        view,
        view.state.evidence.get(id) as Evidence,
      ) as ReturnType<typeof evidenceView> & { stale?: string };
      return {
        evidence,
        kind,
        result,
        summary: cut(summary, 200),
        grade,
        fresh,
        ...(stale !== undefined && { stale }),
      };
    });
}

function risksOf(view: View, todo: Todo): readonly string[] {
  const handoff = todo.handoff === undefined ? undefined : view.state.handoffs.get(todo.handoff);
  const standing = todo.claim ? standingOf(view, todo.claim) : 'live';
  return [
    ...(handoff?.risks ?? []),
    ...(standing === 'live' ? [] : [`${todo.todo} is claimed by ${todo.claim?.holder}, who is ${standing}`]),
  ];
}
