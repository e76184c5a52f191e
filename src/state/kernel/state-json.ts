import { emptyGoalIndex, type GoalIndex, initialState, type State } from './state.ts';
import { Table } from './table.ts';

/** The state that became this JSON. It is for a document that is known to be whole; what it holds is not checked again. */
export function stateFromJson(json: unknown): State {
  const { index, ...rest } = initialState();
  const given = json as { readonly [field: string]: unknown; readonly index: { readonly goals: readonly GoalEntry[] } };
  const goals = index.goals.filled(given.index.goals.map(([goal, each]) => [goal, goalIndexOf(each)]));
  return { ...restored(rest, given), index: { ...restored(index, given.index), goals } };
}

type GoalEntry = readonly [goal: string, index: GoalIndex];

/** Its criteria are named only in the document, so no template knows their tables. */
function goalIndexOf(json: GoalIndex): GoalIndex {
  const speaks = Object.entries(json.speaks).map(([criterion, each]) => [
    criterion,
    restoredField(Table.numbered<true>(), each),
  ]);
  return { ...restored(emptyGoalIndex, json), speaks: Object.fromEntries(speaks) };
}

/** The fields of `json`, with tables where the template has tables and lists of tables. */
function restored<T extends object>(template: T, json: unknown): T {
  const given = json as { readonly [field: string]: unknown };
  const fields = Object.entries(template).map(([field, as]) => [field, restoredField(as, given[field])]);
  return Object.fromEntries(fields) as T;
}

function restoredField(as: unknown, value: unknown): unknown {
  if (as instanceof Table) return as.filled(value as readonly (readonly [string, unknown])[]);
  if (Array.isArray(as) && as[0] instanceof Table) {
    return (value as readonly unknown[]).map((each) => restoredField(as[0], each));
  }
  return value;
}
