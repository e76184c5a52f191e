import type { PromptArgument, PromptRoom } from './define-prompt.ts';
import { type SeenGoal, seeGoals } from './seen.ts';

/** The argument `goal`, completing the slugs there are. */
export function goalArgument(isRequired: boolean): PromptArgument {
  return {
    name: 'goal',
    description: "The goal's slug",
    ...(isRequired && { required: true }),
    complete: async (plane, caller) => (await seeGoals(plane, caller)).map(({ goal }) => goal),
  };
}

/** The goal of that slug, or the text to show instead. */
export async function namedGoal(slug: string, { plane, caller }: PromptRoom): Promise<SeenGoal | string> {
  const goals = await seeGoals(plane, caller);
  const named = goals.find(({ goal }) => goal === slug.toLowerCase());
  if (named !== undefined) return named;
  const there = goals.map(({ goal, status }) => `- ${goal} (${status})`).join('\n');
  const what = slug === '' ? 'Name the goal' : `There is no goal ${slug}`;
  return `${what}; nothing was changed. ${there === '' ? 'There are no goals here.' : `Goals:\n${there}`}`;
}
