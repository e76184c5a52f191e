import { brake } from './brake.ts';

export const pauseGoal = brake(
  { name: 'pause_goal', title: 'Pause a goal', description: 'Nobody starts new work on the goal until it is resumed.' },
  'goal.pause',
  'paused',
);
