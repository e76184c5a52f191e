import { gatePending, guardClaim, mustHold } from './claim.ts';
import type { NextState, TodoAdd, TodoUpdate } from './commands.ts';
import { findGoal, findTodo } from './find.ts';
import { lacksOf } from './freshness.ts';
import { holdOn } from './gate-hold.ts';
import { endLapsed } from './lapsed.ts';
import type { Goal, ResumeWhen, Todo } from './model.ts';
import { badArgument, call, type Refused, refuse } from './refusal.ts';
import { obstacleTo, refuseReserved } from './reserved.ts';
import { isFor, offerOn } from './runnable.ts';
import { isClosed, type Result } from './state.ts';
import { addTodos, checkChange, checkResume, cycleFrom, cyclic } from './todo-spec.ts';
import type { Work } from './work.ts';

/** todo_add: all of the todos or none. */
export function addTodoSpecs(work: Work, act: TodoAdd): Result | Refused {
  const goal = findGoal(work.state, act.goal);
  if ('refusal' in goal) return goal;
  const ended = refuseEnded(goal);
  if (ended) return ended;
  if (act.todos.length === 0)
    return badArgument('todos', 'todos lists what to add, e.g. [{"title": "Profile the parser"}].');
  const todos = addTodos(work, goal, act.todos, 'todos');
  return 'refusal' in todos ? todos : { goal: goal.goal, todos };
}

export function refuseEnded(goal: Goal): Refused | undefined {
  if (goal.status !== 'done' && goal.status !== 'stopped') return undefined;
  return refuse(
    `goal-${goal.status}`,
    `Goal ${goal.goal} is ${goal.status}; nothing is added to it.`,
    { goal: goal.goal },
    call('goal_status', { goal: goal.goal }, 'how it ended'),
  );
}

/** The fields of an update that change what the todo is, as against where it stands. */
const specFields = [
  'title',
  'detail',
  'kind',
  'priority',
  'after',
  'scope',
  'capabilities',
  'excludeAgents',
  'acceptance',
  'covers',
  'dueAt',
  'everyS',
  'parent',
] as const;

/** todo_update: edits, notes, renewal and change of state, in this order, all or nothing. */
export function updateTodo(work: Work, act: TodoUpdate): Result | Refused {
  const todo = findTodo(work.state, act.todo);
  if ('refusal' in todo) return todo;
  const goal = work.state.goals.get(todo.goal) as Goal;
  const ended = refuseEnded(goal);
  if (ended) return ended;
  const guarded = guardClaim(work, todo, act.token);
  if (guarded) return guarded;
  const waits = act.state === 'blocked' || act.state === 'deferred';
  if (act.resumeWhen !== undefined && !waits)
    return badArgument('resumeWhen', 'resumeWhen goes with a state that waits: state: "blocked" or "deferred".');
  const before = work.events.length;
  const edited = edit(work, goal, todo, act);
  if (edited) return edited;
  if (act.note !== undefined && act.note.trim() !== '') {
    work.emit({ type: 'todo.noted', todo: todo.todo, by: work.agent, text: act.note });
  }
  if (act.renew) {
    const held = mustHold(work, todo, act.token);
    if (held) return held;
    work.emit({ type: 'claim.renewed', todo: todo.todo, session: work.session });
  }
  if (act.state !== undefined) {
    const moved = moveTodo(work, todo.todo, act.state, act);
    if (moved) return moved;
  }
  if (work.events.length === before) {
    return badArgument(
      'state',
      'The update changes nothing; give a note, a state, renew or a field to change, e.g. note: "half done".',
    );
  }
  return { goal: goal.goal, todo: todo.todo };
}

function edit(work: Work, goal: Goal, todo: Todo, act: TodoUpdate): Refused | undefined {
  const names = specFields.filter((name) => act[name] !== undefined);
  if (names.length === 0) return undefined;
  if (isClosed(todo)) {
    return refuse(
      'not-allowed',
      `${todo.todo} is ${todo.state}; what it was stays as it is. Add a new todo instead.`,
      { field: names[0], state: todo.state },
      call('todo_add', { goal: goal.goal, todos: [{ title: 'What is to be done now' }] }, 'a todo of its own'),
    );
  }
  const hold = holdOn(work.state, todo);
  if (hold)
    return gatePending(
      hold.gate,
      `${todo.todo} is under gate ${hold.gate.gate}, so its ${names[0]} stays as it is until the owner has answered; notes are free.`,
    );
  const change = checkChange(work, goal, Object.fromEntries(names.map((name) => [name, act[name]])), '');
  if ('refusal' in change) return change;
  const criteria = change.acceptance && keptCriteria(todo, change.acceptance);
  if (criteria && 'refusal' in criteria) return criteria;
  const whole = criteria ? { ...change, acceptance: criteria } : change;
  const kind = change.kind ?? todo.kind;
  if (kind === 'monitor' && (change.everyS ?? todo.everyS) === undefined)
    return badArgument('everyS', 'a monitor needs everyS, the seconds between two checks, e.g. 300.');
  if (kind !== 'monitor' && (change.everyS !== undefined || change.dueAt !== undefined))
    return badArgument('kind', 'everyS and dueAt are for todos of kind "monitor".');
  // A claim reserves its todo's scope, so the scope grows only over what nobody else holds.
  const obstacle = todo.claim && change.scope && obstacleTo(work, change.scope);
  if (obstacle) return refuseReserved(work, obstacle);
  if (todo.claim && change.scope) endLapsed(work, change.scope);
  work.emit({ type: 'todo.changed', todo: todo.todo, change: whole, by: work.agent });
  const cycle = cycleFrom(work.state, todo.todo);
  return cycle && cyclic(change.after ? 'after' : 'parent', cycle);
}

/** Criteria are only added: an update must list all that count now, in their order, and may add more. */
function keptCriteria(todo: Todo, wanted: Todo['acceptance']): Todo['acceptance'] | Refused {
  const live = todo.acceptance.filter((criterion) => criterion.dropped === undefined);
  const texts = wanted.map((criterion) => criterion.text);
  const lost = live.find((criterion) => !texts.includes(criterion.text));
  if (lost) {
    return refuse(
      'not-allowed',
      `Criteria of a todo are only added: ${lost.id} "${lost.text}" is missing from acceptance.`,
      { field: 'acceptance', criterion: lost.id },
      call('goal_status', { view: 'todos', id: todo.todo }, 'the criteria it has'),
    );
  }
  const added = texts.filter((text) => !live.some((criterion) => criterion.text === text));
  const from = todo.acceptance.length;
  return [...todo.acceptance, ...added.map((text, at) => ({ id: `A${from + at + 1}`, text }))];
}

interface Move {
  readonly reason?: string | undefined;
  readonly resumeWhen?: ResumeWhen | undefined;
  readonly token?: number | undefined;
  readonly note?: string | undefined;
}

/** Moves a todo to another state, or says why not. */
export function moveTodo(work: Work, id: string, state: NextState, move: Move): Refused | undefined {
  const todo = work.state.todos.get(id) as Todo;
  if (isClosed(todo)) {
    return refuse(
      'not-allowed',
      `${id} is ${todo.state} and stays so; add a new todo for what is left.`,
      { state: todo.state },
      call('todo_add', { goal: todo.goal, todos: [{ title: 'What is left' }] }, 'a todo of its own'),
    );
  }
  switch (state) {
    case 'open':
      return open(work, todo);
    case 'done':
      return finish(work, todo, move);
    case 'dropped':
      return drop(work, todo, move);
    default:
      return pause(work, todo, state, move);
  }
}

function open(work: Work, todo: Todo): Refused | undefined {
  const id = todo.todo;
  if (todo.state === 'active') return void work.emit({ type: 'todo.opened', todo: id, why: 'released' });
  const hold = holdOn(work.state, todo);
  if (todo.deniedBy !== undefined && hold) {
    return gatePending(hold.gate, `The owner denied gate ${hold.gate.gate}; only the owner lifts that.`);
  }
  if (todo.state === 'blocked' || todo.state === 'deferred')
    return void work.emit({ type: 'todo.opened', todo: id, why: 'resumed' });
  const handoff = offerOn(work, todo);
  if (handoff && isFor(work, handoff)) {
    work.emit({ type: 'handoff.declined', handoff: handoff.handoff, agent: work.agent });
    work.notify(handoff.from, {
      code: 'handoff-offered',
      todo: id,
      text: `${work.agent} declined ${handoff.handoff}; ${id} is open to all again.`,
    });
    return undefined;
  }
  return refuse(
    'not-allowed',
    `${id} is open already.`,
    { field: 'state', state: todo.state },
    call('todo_claim', { todo: id }, 'work on it'),
  );
}

function finish(work: Work, todo: Todo, move: Move): Refused | undefined {
  const hold = holdOn(work.state, todo);
  if (hold)
    return gatePending(
      hold.gate,
      `${todo.todo} cannot be finished while gate ${hold.gate.gate} holds it: ${hold.gate.question}`,
    );
  const held = mustHold(work, todo, move.token);
  if (held) return held;
  const missing = lacksOf(work, todo);
  if (missing.length > 0) {
    const list = missing.map((lack) =>
      lack.criterion === 'any' ? `it lacks ${lack.lacks}` : `${lack.criterion} lacks ${lack.lacks}`,
    );
    const criteria = missing.filter((lack) => lack.criterion !== 'any').map((lack) => lack.criterion);
    return refuse(
      'evidence-missing',
      `${todo.todo} is not done: ${list.join('; ')}.`,
      { todo: todo.todo, missing },
      call(
        'evidence_write',
        {
          todo: todo.todo,
          kind: 'test',
          summary: 'What shows it',
          result: 'pass',
          ...(criteria.length > 0 && { criteria }),
        },
        'the evidence that is missing',
      ),
    );
  }
  return void work.emit({ type: 'todo.done', todo: todo.todo });
}

function drop(work: Work, todo: Todo, move: Move): Refused | undefined {
  const hold = holdOn(work.state, todo);
  if (hold)
    return gatePending(
      hold.gate,
      `${todo.todo} is under gate ${hold.gate.gate} and cannot be dropped until the owner has answered.`,
    );
  const held = mustHold(work, todo, move.token);
  if (held) return held;
  const reason = move.reason ?? move.note;
  if (reason === undefined || reason.trim() === '') {
    return badArgument(
      'reason',
      'Dropping a todo is a recorded decision; give the reason, e.g. reason: "covered by T4".',
    );
  }
  return void work.emit({ type: 'todo.dropped', todo: todo.todo, reason });
}

function pause(work: Work, todo: Todo, state: 'blocked' | 'deferred', move: Move): Refused | undefined {
  if (todo.deniedBy !== undefined) {
    const hold = holdOn(work.state, todo);
    if (hold) return gatePending(hold.gate, `The owner denied gate ${hold.gate.gate}; only the owner lifts that.`);
  }
  const when = move.resumeWhen === undefined ? undefined : checkResume(work, move.resumeWhen, 'resumeWhen');
  if (when && 'refusal' in when) return when;
  const reason = move.reason ?? move.note ?? (when && whenWords(when));
  if (reason === undefined || reason.trim() === '') {
    return badArgument(
      'reason',
      `Say what ${todo.todo} waits for: reason: "…" or resumeWhen, e.g. {"todoDone": "T1"}.`,
    );
  }
  const type = state === 'blocked' ? 'todo.blocked' : 'todo.deferred';
  work.emit({ type, todo: todo.todo, reason, ...(when && { resumeWhen: when }) });
  const cycle = when && cycleFrom(work.state, todo.todo);
  return cycle && cyclic('resumeWhen.todoDone', cycle);
}

function whenWords(when: ResumeWhen): string {
  if ('todoDone' in when) return `until ${when.todoDone} is done`;
  if ('gateAnswered' in when) return `until gate ${when.gateAnswered} is answered`;
  return 'at' in when ? `until ${when.at}` : 'until somebody opens it';
}
