import { compareClaim } from './compare-goal.ts';
import {
  evidenceResults,
  gateStates,
  gatesIn,
  gradeOf,
  idsOf,
  type Moment,
  momentOf,
  staleByLog,
  stateAt,
  todoStates,
  todosIn,
} from './counts.ts';
import type { Tell } from './differences.ts';
import type { EvidenceFacts, Facts, GateFacts, TodoFacts } from './facts.ts';
import type { Raw } from './read-log.ts';

export type ListName = 'todos' | 'gates' | 'evidence';

/** The states a list can be asked for by. */
export const statesOf: { readonly [list in ListName]: readonly string[] } = {
  todos: todoStates,
  gates: gateStates,
  evidence: evidenceResults,
};

/** The field that a thing of a list has its id in, and that the thing alone is shown under. */
export const idField = { todos: 'todo', gates: 'gate', evidence: 'evidence' } as const;

/** One page of a list: each thing on it, how many it says it shows, and of how many. */
export function comparePage(tell: Tell, list: ListName, goal: string, page: Raw, facts: Facts): void {
  const now = momentOf(facts, page.asOf);
  const items: readonly Raw[] = page[list] ?? [];
  tell.same('shown', page.shown, items.length);
  tell.same('total', page.total, idsOf(facts[list], goal).length);
  for (const item of items) compareItem(tell, list, item, facts, now);
}

/** All ids of a list that was read to its end: each once, none missing, in the order they came. */
export function compareIds(tell: Tell, list: ListName, goal: string, ids: readonly unknown[], facts: Facts): void {
  const derived = idsOf(facts[list], goal);
  const [listed, known] = [new Set(ids), new Set<unknown>(derived)];
  const missing = derived.filter((id) => !listed.has(id));
  const strange = ids.filter((id) => !known.has(id));
  if (missing.length > 0) tell.differ('missing', null, missing);
  if (strange.length > 0) tell.differ('not in the log', strange, null);
  if (missing.length + strange.length === 0) tell.same('ids', ids, derived);
}

/** "Shown N of M" of a list by state. */
export function compareTotal(tell: Tell, list: ListName, goal: string, state: string, page: Raw, facts: Facts): void {
  const derived = {
    todos: () => todosIn(facts, goal, state, momentOf(facts, page.asOf)),
    gates: () => gatesIn(facts, goal, state),
    evidence: () => idsOf(facts.evidence, goal).filter((id) => facts.evidence.get(id)?.record.result === state),
  }[list]();
  const ids = (page[list] ?? []).map((item: Raw) => item[idField[list]]);
  tell.same(`${state} total`, page.total, derived.length);
  tell.same(`${state} shown`, page.shown, ids.length);
  tell.same(`${state} first`, ids, derived.slice(0, ids.length));
}

/** One thing, in a list or alone. */
export function compareItem(tell: Tell, list: ListName, item: Raw, facts: Facts, now: Moment): void {
  const id = String(item?.[idField[list]]);
  const [todo, gate, evidence] = [facts.todos.get(id), facts.gates.get(id), facts.evidence.get(id)];
  if (list === 'todos' && todo) compareTodo(tell, id, item, todo, facts, now);
  if (list === 'gates' && gate) compareGate(tell, id, item, gate);
  if (list === 'evidence' && evidence) compareEvidence(tell, id, item, evidence, now);
}

function compareTodo(tell: Tell, id: string, item: Raw, todo: TodoFacts, facts: Facts, now: Moment): void {
  const { title, kind, priority, after, acceptance } = todo.spec;
  tell.same(`${id} state`, item.state, stateAt(todo, now));
  tell.same(`${id} goal`, item.goal, todo.goal);
  tell.same(`${id} kind and priority`, [item.kind, item.priority], [kind, priority]);
  tell.text(`${id} title`, item.title, title);
  tell.list(`${id} after`, item.after, after);
  tell.list(`${id} evidence`, item.evidence, todo.evidence);
  tell.list(
    `${id} criteria`,
    item.acceptance?.map((one: Raw) => one.id),
    acceptance.map((one: Raw) => one.id),
  );
  for (const { id: criterion, text } of item.acceptance ?? []) {
    const derived = acceptance.find((one: Raw) => one.id === criterion);
    if (derived) tell.text(`${id} criterion ${criterion}`, text, derived.text);
  }
  tell.same(`${id} version`, item.version, todo.version);
  compareClaim(tell, id, item.claim, facts);
}

function compareGate(tell: Tell, id: string, item: Raw, gate: GateFacts): void {
  const { question, kind, options, blocks } = gate.asked;
  tell.same(`${id} state`, item.state, gate.state);
  tell.text(`${id} question`, item.question, question);
  tell.same(`${id} kind`, item.kind, kind);
  tell.list(
    `${id} options`,
    item.options?.map(({ key, effect }: Raw) => [key, effect]),
    options.map(optionOf),
  );
  tell.list(`${id} blocks`, item.blocks?.todos, blocks.todos);
  tell.same(`${id} revision and digest`, [item.revision, item.subjectDigest], [gate.revision, gate.digest]);
  tell.same(`${id} answer`, answerOf(item.answer), answerOf(gate.answer));
  tell.same(`${id} version`, item.version, gate.version);
}

function optionOf({ key, effect }: Raw): unknown {
  return [key, effect];
}

function answerOf(answer: Raw): unknown {
  if (!answer) return undefined;
  const { option, effect, channel, grade, name } = answer;
  return { option, effect, channel, grade, name };
}

function compareEvidence(tell: Tell, id: string, item: Raw, evidence: EvidenceFacts, now: Moment): void {
  const { kind, result, criteria, summary, todo } = evidence.record;
  tell.same(`${id} kind and result`, [item.kind, item.result], [kind, result]);
  tell.same(`${id} todo`, item.todo, todo);
  tell.text(`${id} summary`, item.summary, summary);
  tell.list(`${id} criteria`, item.criteria, criteria);
  tell.same(`${id} grade`, item.grade, gradeOf(evidence));
  tell.same(`${id} superseded by`, item.supersededBy, evidence.supersededBy);
  tell.same(`${id} accepted by`, item.acceptedBy, evidence.acceptedBy);
  const why = staleByLog(evidence, now);
  if (why !== undefined && item.fresh !== false) tell.differ(`${id} fresh`, item.fresh, why);
  tell.same(`${id} version`, item.version, evidence.version);
}
