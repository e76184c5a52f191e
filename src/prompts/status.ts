import type { Prompt } from './define-prompt.ts';
import { gateText, otherWays } from './gate-text.ts';
import { firstWord, isPlaceholder } from './given.ts';
import { goalArgument } from './goal-argument.ts';
import { seeOpenGates } from './seen.ts';

export const status: Prompt = {
  name: 'status',
  title: 'Show where things stand',
  description: 'What needs the owner, what runs, what waits.',
  does: 'read',
  arguments: [goalArgument(false)],
  run: async (given, { plane, caller }) => {
    const { first } = firstWord(given.goal ?? '');
    const goal = first === '' || isPlaceholder(first) ? undefined : first.toLowerCase();
    const answer = await plane.query({ type: 'goal.status', goal }, caller);
    if (!answer.ok) return answer.message;
    const gates = (await seeOpenGates(plane, caller)).filter(
      (gate) => gate.goal === (answer.goal as { goal: string }).goal,
    );
    const waiting = gates.map((gate) => `${gateText(gate)}\n${otherWays(gate)}`).join('\n\n');
    return [
      'Tell the owner in a few lines what needs them, what runs and what waits. These are the facts:',
      JSON.stringify({
        goal: answer.goal,
        counts: answer.counts,
        attention: answer.attention,
        claims: answer.claims,
        top: answer.top,
      }),
      waiting === '' ? 'No gate is open.' : `Open gates, to be shown word for word:\n\n${waiting}`,
    ].join('\n\n');
  },
};
