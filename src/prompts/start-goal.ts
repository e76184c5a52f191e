import type { Prompt } from './define-prompt.ts';
import { joined } from './given.ts';

export const startGoal: Prompt = {
  name: 'start_goal',
  title: 'Start a goal',
  description: 'Guides the agent to set a goal up with the owner.',
  does: 'text',
  arguments: [{ name: 'objective', description: 'What is to be reached, in a sentence' }],
  text: (given) => {
    const objective = joined(given.objective);
    const wish = objective === '' ? 'The owner has not said yet what it is: ask.' : `The owner wants: ${objective}`;
    return `Set up a goal in LoopX with the owner. ${wish}

1. Look first: goal_status shows whether a goal is there already.
2. Ask the owner, briefly and only for what is missing or cut off:
   - the objective, in one sentence;
   - acceptance criteria that can be checked (a command, a file, a number);
   - what is not part of it;
   - which paths may be changed and which never;
   - how much work a day is fine (quota).
3. Read it back in one short list and wait for a yes.
4. Call goal_start with objective, acceptance, nonGoals, scope, quota and the first todos: small, each with a scope, and covers for the criteria it meets.
5. Whatever only the owner may decide later, ask with gate_ask now, so that no work waits for it later.

After goal_start only the owner changes the goal.`;
  },
};
