import type { Evidence, Gate, Goal, Todo } from './model.ts';
import { call, type Refused, refuse } from './refusal.ts';
import type { State } from './state.ts';

/** The goal a call means: the one it names, that of a thing it names, the only live one, or the one that ended last. */
export function findGoal(state: State, name: string | undefined): Goal | Refused {
  if (name !== undefined) {
    const goal = state.goals.get(slugOf(name));
    if (goal) return goal;
    const known = [...state.goals.keys()].sort();
    if (known.length > 0) {
      const shown = known.slice(0, 20);
      return refuse(
        'not-found',
        `There is no goal ${name}; there is ${shown.join(', ')}.`,
        { field: 'goal', goals: shown },
        call('goal_status', { goal: shown[0] }, 'the goal there is'),
      );
    }
  }
  const all = [...state.goals.values()];
  const live = all.filter((goal) => goal.status === 'active' || goal.status === 'paused');
  if (live.length === 1) return live[0] as Goal;
  if (live.length > 1) {
    const goals = live.map((goal) => goal.goal).sort();
    return refuse(
      'goal-ambiguous',
      `Several goals are live; name one of ${goals.join(', ')} in the argument goal.`,
      { field: 'goal', goals },
      call('goal_status', { goal: goals[0] }, 'how one of them stands'),
    );
  }
  const last = all.sort((a, b) => (b.endedVersion ?? 0) - (a.endedVersion ?? 0))[0];
  return last ?? noGoal();
}

function noGoal(): Refused {
  return refuse(
    'no-goal',
    'There is no goal in this workspace yet; start one with goal_start.',
    {},
    call('goal_start', { objective: 'What is to be achieved, in a sentence' }, 'set the goal up'),
  );
}

/** A goal's name in its one spelling. */
export function slugOf(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[-.]+|[-.]+$/g, '');
}

export function findTodo(state: State, id: string): Todo | Refused {
  return state.todos.get(id) ?? missing('todo', id, state.counts.todos, 'T', 'todos');
}

export function findGate(state: State, id: string): Gate | Refused {
  return state.gates.get(id) ?? missing('gate', id, state.counts.gates, 'G', 'gates');
}

export function findEvidence(state: State, id: string): Evidence | Refused {
  return state.evidence.get(id) ?? missing('evidence', id, state.counts.evidence, 'E', 'evidence');
}

/** The todo, gate or evidence of that id, by its letter. */
export function findById(state: State, id: string): Todo | Gate | Evidence | Refused {
  if (id.startsWith('G')) return findGate(state, id);
  return id.startsWith('E') ? findEvidence(state, id) : findTodo(state, id);
}

function missing(field: string, id: string, count: number, letter: string, view: string): Refused {
  const known = count === 0 ? 'there is none yet' : `the ids go from ${letter}1 to ${letter}${count}`;
  return refuse(
    'not-found',
    `There is no ${field} ${id}; ${known}.`,
    { field, id },
    call('goal_status', { view }, `the ${view} there are`),
  );
}
