import type { GoalStatusQuery } from '../state/answer.ts';
import type { Resource } from './define-resource.ts';
import { goalIds } from './ids.ts';

type View = NonNullable<GoalStatusQuery['view']>;

const slugOf = (goal: string | undefined) => goal?.trim().toLowerCase();

/** Everything under a goal changes with it: a commit about one of its todos names the goal too. */
const ofGoal: Pick<Resource, 'isTouchedBy' | 'complete'> = {
  isTouchedBy: (change, { goal }) => change.goals.includes(slugOf(goal) as string),
  complete: goalIds,
};

function goalView(view: View, title: string, description: string): Resource {
  return {
    ...ofGoal,
    uri: view === 'summary' ? 'loopx://goals/{goal}' : `loopx://goals/{goal}/${view}`,
    name: view === 'summary' ? 'goal' : `goal-${view}`,
    title,
    description,
    mimeType: 'application/json',
    read: (plane, { goal }, caller) => plane.query({ type: 'goal.status', goal: slugOf(goal), view }, caller),
  };
}

export const goalResources: readonly Resource[] = [
  {
    uri: 'loopx://goals',
    name: 'goals',
    title: 'Goals',
    description: 'All goals of this workspace.',
    mimeType: 'application/json',
    read: (plane, _variables, caller) => plane.query({ type: 'goals' }, caller),
    isTouchedBy: (change) => change.goals.length > 0,
  },
  goalView('summary', 'A goal', 'Objective, criteria, counts, what needs attention, what comes next.'),
  goalView('todos', "A goal's todos", 'The first page; goal_status has the others.'),
  goalView('gates', "A goal's gates", 'Questions to the owner, open and answered.'),
  goalView('evidence', "A goal's evidence", 'With grade and freshness.'),
  goalView('quota', "A goal's quota", 'Policy, and what is spent of it.'),
  goalView('history', "A goal's history", 'What happened, and who did it.'),
  {
    ...ofGoal,
    uri: 'loopx://goals/{goal}/board',
    name: 'goal-board',
    title: "A goal's board",
    description: 'A Markdown kanban.',
    mimeType: 'text/markdown',
    read: (plane, { goal }, caller) => plane.query({ type: 'board', goal: slugOf(goal) }, caller),
  },
];
