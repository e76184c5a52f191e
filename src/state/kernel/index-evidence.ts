import type { Evidence } from './model.ts';
import { goalIndex, type State } from './state.ts';
import { Table } from './table.ts';

/**
 * The goal criteria this evidence speaks for now. In evidence A1 … are the criteria of its todo where that has some of
 * its own, else the goal's; evidence of a done todo speaks for the goal criteria that todo covers as well.
 */
function goalCriteriaOf(state: State, evidence: Evidence): readonly string[] {
  const todo = evidence.todo === undefined ? undefined : state.todos.get(evidence.todo);
  const named = evidence.criteriaBelongTo === 'todo' ? [] : evidence.criteria;
  const covered = todo?.state === 'done' ? todo.covers : [];
  return [...new Set([...named, ...covered])];
}

/** The state in which this evidence is known to speak for its goal's criteria; only passing evidence is. */
export function speakFor(state: State, evidence: Evidence): State {
  if (evidence.result !== 'pass') return state;
  const index = goalIndex(state, evidence.goal);
  const speaks = { ...index.speaks };
  let isNew = false;
  for (const criterion of goalCriteriaOf(state, evidence)) {
    const known = speaks[criterion] ?? Table.numbered<true>();
    if (known.has(evidence.evidence)) continue;
    speaks[criterion] = known.with(evidence.evidence, true);
    isNew = true;
  }
  if (!isNew) return state;
  return { ...state, index: { ...state.index, goals: state.index.goals.with(evidence.goal, { ...index, speaks }) } };
}

/** The state in which the evidence of a todo that became done speaks for what the todo covers. */
export function speakForCovered(state: State, id: string): State {
  let next = state;
  for (const evidence of state.todos.get(id)?.evidence ?? []) {
    const record = state.evidence.get(evidence);
    if (record) next = speakFor(next, record);
  }
  return next;
}
