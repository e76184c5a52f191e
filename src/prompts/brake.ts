import type { Prompt, PromptArguments, PromptRoom } from './define-prompt.ts';
import { firstWord, joined } from './given.ts';
import { goalArgument, namedGoal } from './goal-argument.ts';

/** pause_goal and stop_goal: free to every channel of the owner, so they ask nothing. */
export function brake(
  prompt: Pick<Prompt, 'name' | 'title' | 'description'>,
  type: 'goal.pause' | 'goal.stop',
  status: 'paused' | 'stopped',
): Prompt {
  return {
    ...prompt,
    does: 'change',
    arguments: [goalArgument(true)],
    run: async (given: PromptArguments, room: PromptRoom) => {
      const { first, rest } = firstWord(joined(given.goal));
      const goal = await namedGoal(first, room);
      if (typeof goal === 'string') return goal;
      if (goal.status === status) return `Goal ${goal.goal} is already ${status}; nothing was changed.`;
      const act = { type, goal: goal.goal, ...(rest !== '' && { words: rest }) };
      const answer = await room.plane.own(act, { ...room.owner, channel: 'prompt', grade: 'prompt' });
      if (!answer.ok) return answer.message;
      const then =
        status === 'paused'
          ? `Write back what is done and wait; \`resume_goal ${goal.goal}\` lets it go on.`
          : 'Write back what is done and take up nothing more of it.';
      return `The owner ${status} goal ${goal.goal}. ${then}`;
    },
  };
}
