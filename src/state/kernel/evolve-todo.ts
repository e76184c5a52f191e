import type { Event } from './events.ts';
import type { Stamp } from './evolve.ts';
import { changeTurns } from './evolve-goal.ts';
import { speakForCovered } from './index-evidence.ts';
import { putTodo } from './index-todo.ts';
import { limits } from './limits.ts';
import type { Todo, TodoState } from './model.ts';
import { hasScope } from './scope.ts';
import type { State } from './state.ts';

/** Folds what concerns todos: their text and state, the claims on them, handoffs and monitor reports. */
export function evolveTodo(state: State, event: Event, stamp: Stamp): State | undefined {
  switch (event.type) {
    case 'todo.added':
      return added(state, event, stamp);
    case 'todo.changed':
      return changed(state, event, stamp);
    case 'todo.noted': {
      const note = { by: event.by, at: stamp.at, text: event.text };
      return edit(state, event.todo, stamp, (todo) => ({
        ...todo,
        notes: [...todo.notes, note].slice(-limits.notesPerTodo),
      }));
    }
    case 'todo.opened':
      return edit(state, event.todo, stamp, (todo) => inState(todo, 'open'));
    case 'todo.done': {
      const next = edit(state, event.todo, stamp, (todo) => inState(todo, 'done'));
      return progressed(speakForCovered(next, event.todo), event.todo, state);
    }
    case 'todo.dropped':
      return edit(state, event.todo, stamp, (todo) => ({ ...inState(todo, 'dropped'), reason: event.reason }));
    case 'todo.blocked':
    case 'todo.deferred': {
      const { reason, resumeWhen } = event;
      const deniedBy = event.type === 'todo.blocked' ? event.deniedBy : undefined;
      return edit(state, event.todo, stamp, (todo) => ({
        ...inState(todo, event.type === 'todo.blocked' ? 'blocked' : 'deferred'),
        reason,
        ...(resumeWhen === undefined ? {} : { resumeWhen }),
        ...(deniedBy === undefined ? {} : { deniedBy }),
      }));
    }
    case 'todo.choice-made': {
      const { type: _, todo: __, ...choice } = event;
      return edit(state, event.todo, stamp, (todo) => ({ ...todo, choices: [...todo.choices, choice] }));
    }
    case 'claim.granted':
      return granted(state, event, stamp);
    case 'claim.taken-over':
      return edit(state, event.todo, stamp, (todo) => ({
        ...todo,
        lost: {
          ...todo.lost,
          [event.from]: { token: todo.claim?.token ?? 0, to: event.to, at: stamp.at, why: event.why },
        },
      }));
    case 'claim.renewed':
      return editClaim(state, event.todo, {
        session: event.session,
        renewedAt: stamp.at,
        ...(event.ttlS === undefined ? {} : { ttlS: event.ttlS }),
      });
    case 'claim.settled':
      return editClaim(state, event.todo, { session: event.session, settledSession: event.session });
    case 'claim.challenged':
      return editClaim(state, event.todo, { challenge: { by: event.by, at: stamp.at, graceS: event.graceS } });
    case 'handoff.offered': {
      const { record, handoff } = event;
      const offered: State = {
        ...state,
        handoffs: state.handoffs.with(handoff, {
          ...record,
          handoff,
          at: stamp.at,
          state: 'offered',
          version: stamp.version,
        }),
        counts: { ...state.counts, handoffs: state.counts.handoffs + 1 },
      };
      return edit(offered, record.todo, stamp, (todo) => ({ ...inState(todo, 'open'), handoff }));
    }
    case 'handoff.accepted':
    case 'handoff.declined':
    case 'handoff.ended': {
      const handoff = state.handoffs.get(event.handoff);
      if (!handoff) return state;
      const outcome = event.type.slice('handoff.'.length) as 'accepted' | 'declined' | 'ended';
      const takenBy = event.type === 'handoff.accepted' ? { takenBy: event.agent } : {};
      const next = { ...handoff, state: outcome, ...takenBy, version: stamp.version };
      const ended = { ...state, handoffs: state.handoffs.with(handoff.handoff, next) };
      const todo = ended.todos.get(handoff.todo);
      return todo ? putTodo(ended, todo) : ended;
    }
    case 'monitor.reported': {
      const { intervalS, nextDueS, observation } = event;
      const note = observation === undefined ? [] : [{ by: event.agent, at: stamp.at, text: observation }];
      return edit(state, event.todo, stamp, (todo) => ({
        ...inState(todo, 'open'),
        intervalS,
        dueAt: stamp.at + nextDueS * 1_000,
        notes: [...todo.notes, ...note].slice(-limits.notesPerTodo),
      }));
    }
    default:
      return undefined;
  }
}

function edit(state: State, id: string, stamp: Stamp, change: (todo: Todo) => Todo): State {
  const todo = state.todos.get(id);
  return todo ? putTodo(state, { ...change(todo), version: stamp.version }) : state;
}

function editClaim(state: State, id: string, change: Partial<NonNullable<Todo['claim']>>): State {
  const todo = state.todos.get(id);
  return todo?.claim ? putTodo(state, { ...todo, claim: { ...todo.claim, ...change } }) : state;
}

/** The todo in another state; a claim, a reason and a condition belong to the state they were made in. */
function inState(todo: Todo, state: TodoState): Todo {
  const { claim: _, reason: __, resumeWhen: ___, deniedBy: ____, ...rest } = todo;
  return { ...rest, state };
}

function added(state: State, event: Extract<Event, { type: 'todo.added' }>, stamp: Stamp): State {
  const { spec, todo, goal, by } = event;
  const next = putTodo(state, {
    ...spec,
    todo,
    goal,
    state: spec.resumeWhen === undefined ? 'open' : 'deferred',
    notes: [],
    choices: [],
    evidence: [],
    lost: {},
    formerScopes: [],
    addedBy: by,
    version: stamp.version,
  });
  const counted = { ...next, counts: { ...next.counts, todos: next.counts.todos + 1 } };
  return replanned(news(counted, goal, stamp), goal, by);
}

function changed(state: State, event: Extract<Event, { type: 'todo.changed' }>, stamp: Stamp): State {
  const next = edit(state, event.todo, stamp, (todo) => ({
    ...todo,
    ...event.change,
    formerScopes:
      event.change.scope !== undefined && hasScope(todo.scope)
        ? [...todo.formerScopes, { until: stamp.version, scope: todo.scope }]
        : todo.formerScopes,
  }));
  return replanned(next, state.todos.get(event.todo)?.goal ?? '', event.by);
}

function granted(state: State, event: Extract<Event, { type: 'claim.granted' }>, stamp: Stamp): State {
  const { agent, session, ttlS } = event;
  const todo = state.todos.get(event.todo);
  if (!todo) return state;
  const { [agent]: _, ...lost } = todo.lost;
  const claim = {
    holder: agent,
    session,
    settledSession: session,
    token: stamp.version,
    ttlS,
    grantedAt: stamp.at,
    renewedAt: stamp.at,
  };
  const next = putTodo(state, { ...inState(todo, 'active'), lost, claim, version: stamp.version });
  return changeTurns(next, todo.goal, agent, (turns) => ({
    ...turns,
    lastRun: todo.kind === 'monitor' ? 'monitor' : 'todo',
  }));
}

function replanned(state: State, goal: string, agent: string): State {
  return changeTurns(state, goal, agent, (turns) => ({ ...turns, hasReplanned: true }));
}

/** A todo done is progress of whoever held it. */
function progressed(state: State, todo: string, before: State): State {
  const was = before.todos.get(todo);
  const holder = was?.claim?.holder;
  if (!was || holder === undefined) return state;
  return changeTurns(state, was.goal, holder, (turns) => ({ ...turns, stalled: 0, hasProgressed: true }));
}

/** Notes that something new came into the goal, which may reopen a refused completion. */
export function news(state: State, name: string, stamp: Stamp): State {
  const goal = state.goals.get(name);
  return goal ? { ...state, goals: state.goals.with(name, { ...goal, newsVersion: stamp.version }) } : state;
}
