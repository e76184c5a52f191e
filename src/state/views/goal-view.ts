import { budgetOf } from '../kernel/budget.ts';
import { wallIso } from '../kernel/clock.ts';
import { criteriaOf, gradeOf } from '../kernel/freshness.ts';
import { openGates } from '../kernel/gate-hold.ts';
import type { Goal, Todo } from '../kernel/model.ts';
import { byRank } from '../kernel/runnable.ts';
import { goalIndex } from '../kernel/state.ts';
import type { View } from '../kernel/view.ts';
import { gateLine } from './gate-view.ts';
import { cut } from './shape.ts';
import { claimView, stateNow, todoLine } from './todo-view.ts';

/** A goal whole: what was agreed, and how each criterion stands on the evidence as it is now. */
export function goalView(view: View, goal: Goal) {
  return {
    goal: goal.goal,
    title: goal.title,
    objective: goal.objective,
    objectiveVersion: goal.objectiveVersion,
    status: goal.status,
    acceptance: criteriaOf(view, goal.goal).map(({ criterion, text, state, evidence, stale }) => ({
      id: criterion,
      text,
      state,
      ...(evidence && { evidence: evidence.evidence, grade: gradeOf(evidence) }),
      ...(stale !== undefined && state === 'open' && { stale }),
    })),
    nonGoals: goal.nonGoals,
    scope: goal.scope,
    quota: goal.quota,
    startedBy: goal.startedBy,
    startedAt: wallIso(view.state, goal.startedAt),
    ...(goal.lessons.length > 0 && { lessons: goal.lessons.map((lesson) => lesson.text) }),
    version: goal.version,
  };
}

/** Todos are counted in the states that lists show them in, so that a sleeper whose time has come counts as open. */
export function countsOf(view: View, name: string) {
  const { state } = view;
  const index = goalIndex(state, name);
  const todos = { ...index.states };
  for (const id of index.asleep.keys()) {
    const todo = state.todos.get(id) as Todo;
    todos[todo.state]--;
    todos[stateNow(view, todo)]++;
  }
  const gates = { open: 0, answered: 0, withdrawn: 0, superseded: 0 };
  for (const gate of state.gates.values()) if (gate.goal === name) gates[gate.state]++;
  let evidence = 0;
  for (const record of state.evidence.values()) if (record.goal === name) evidence++;
  return { todos, gates, evidence };
}

/** The summary: what needs somebody, what runs, what comes next. */
export function summaryView(view: View, goal: Goal) {
  const gates = openGates(view.state, goal.goal);
  const claimed = activeTodos(view, goal.goal);
  const top = nextTodos(view, goal.goal, 5);
  return {
    goal: goalView(view, goal),
    counts: countsOf(view, goal.goal),
    attention: attentionOf(view, goal),
    gates: gates.slice(0, 5).map(gateLine),
    claims: claimed.slice(0, 10).map((todo) => ({
      todo: todo.todo,
      title: cut(todo.title, 100),
      ...claimView(view, todo.claim as NonNullable<Todo['claim']>),
    })),
    top: top.map((todo) => todoLine(view, todo)),
    shown: { gates: Math.min(5, gates.length), claims: Math.min(10, claimed.length), top: top.length },
    total: { gates: gates.length, claims: claimed.length, top: goalIndex(view.state, goal.goal).states.open },
    budget: budgetOf(goal, view.at),
  };
}

export function activeTodos(view: View, goal: string): readonly Todo[] {
  return [...view.state.index.active.keys()]
    .map((id) => view.state.todos.get(id) as Todo)
    .filter((todo) => todo.goal === goal)
    .sort(byRank);
}

function nextTodos(view: View, goal: string, most: number): readonly Todo[] {
  const list: Todo[] = [];
  for (const table of goalIndex(view.state, goal).ready) {
    for (const id of table.keys()) {
      if (list.length === most) return list;
      list.push(view.state.todos.get(id) as Todo);
    }
  }
  return list;
}

/** What somebody should look at, the owner's matters first. */
export function attentionOf(view: View, goal: Goal): readonly { readonly what: string; readonly text: string }[] {
  const list: { what: string; text: string }[] = [];
  if (goal.status === 'paused')
    list.push({ what: 'paused', text: `The owner paused ${goal.goal}; resume_goal lets it go on.` });
  for (const gate of openGates(view.state, goal.goal).slice(0, 5)) {
    list.push({ what: 'gate', text: `${gate.gate} waits for the owner: ${cut(gate.question, 200)}` });
  }
  for (const todo of activeTodos(view, goal.goal)) {
    const { standing } = claimView(view, todo.claim as NonNullable<Todo['claim']>);
    if (standing !== 'live')
      list.push({ what: 'claim', text: `${todo.todo} is claimed by ${todo.claim?.holder}, who is ${standing}.` });
  }
  for (const criterion of criteriaOf(view, goal.goal)) {
    if (criterion.state === 'open' && criterion.stale !== undefined) {
      list.push({ what: 'stale', text: `${criterion.criterion} was met, but ${criterion.stale}.` });
    }
  }
  for (const id of goalIndex(view.state, goal.goal).asleep.keys()) {
    const todo = view.state.todos.get(id) as Todo;
    if (todo.state === 'blocked' && list.length < 12)
      list.push({ what: 'blocked', text: `${id} is blocked: ${cut(todo.reason ?? '', 200)}` });
  }
  return list.slice(0, 12);
}
