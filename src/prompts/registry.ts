import { amendGoal } from './amend-goal.ts';
import { answerGate } from './answer-gate.ts';
import type { Prompt } from './define-prompt.ts';
import { lesson } from './lesson.ts';
import { loop } from './loop.ts';
import { pauseGoal } from './pause-goal.ts';
import { resumeGoal } from './resume-goal.ts';
import { review } from './review.ts';
import { startGoal } from './start-goal.ts';
import { status } from './status.ts';
import { stopGoal } from './stop-goal.ts';

/** The owner's channel, in the order hosts list it. */
export const prompts: readonly Prompt[] = [
  answerGate,
  loop,
  startGoal,
  status,
  review,
  amendGoal,
  pauseGoal,
  stopGoal,
  resumeGoal,
  lesson,
];

export function promptNamed(name: string): Prompt | undefined {
  return prompts.find((prompt) => prompt.name === name);
}
