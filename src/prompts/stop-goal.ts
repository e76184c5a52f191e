import { brake } from './brake.ts';

export const stopGoal = brake(
  { name: 'stop_goal', title: 'Stop a goal', description: 'Ends the goal for good.' },
  'goal.stop',
  'stopped',
);
