import type { Prompt } from './define-prompt.ts';
import { firstWord, isPlaceholder } from './given.ts';
import { seeGoals, seeOpenGates } from './seen.ts';

export const review: Prompt = {
  name: 'review',
  title: 'Review before deciding',
  description: 'The review packet of a gate, todo or goal, for a decision.',
  does: 'read',
  arguments: [
    {
      name: 'item',
      description: 'G1, T3 or a goal',
      complete: async (plane, caller) => [
        ...(await seeOpenGates(plane, caller)).map(({ gate }) => gate),
        ...(await seeGoals(plane, caller)).map(({ goal }) => goal),
      ],
    },
  ],
  run: async (given, { plane, caller }) => {
    const { first } = firstWord(given.item ?? '');
    const answer = await plane.query({ type: 'review.packet', ...itemOf(first) }, caller);
    if (!answer.ok) return answer.message;
    return `Present this to the owner as a short review: the decision wanted, what changed, the evidence with its grade and freshness, the risks. Do not decide.\n\n${JSON.stringify(answer.packet)}`;
  },
};

function itemOf(item: string): { gate?: string; todo?: string; goal?: string } {
  if (item === '' || isPlaceholder(item)) return {};
  if (/^g\d+$/i.test(item)) return { gate: item.toUpperCase() };
  if (/^t\d+$/i.test(item)) return { todo: item.toUpperCase() };
  return { goal: item.toLowerCase() };
}
