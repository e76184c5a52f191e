import type { Prompt, PromptRoom } from './define-prompt.ts';
import { firstWord, joined, mayBeCut } from './given.ts';
import { goalArgument, namedGoal } from './goal-argument.ts';
import { ownerYes } from './owner-yes.ts';

export const lesson: Prompt = {
  name: 'lesson',
  title: 'Give a lesson',
  description: "The owner's judgment of recent work, kept for later turns.",
  does: 'change',
  arguments: [goalArgument(true), { name: 'text', description: 'What to do differently', required: true }],
  run: async (given, room) => {
    const { first, rest } = firstWord(given.goal ?? '');
    const goal = await namedGoal(first, room);
    if (typeof goal === 'string') return goal;
    const typed = joined(rest, given.text);
    if (typed === '') return 'Say what the lesson is, e.g. lesson with text "Run the linter before writing back".';
    const { forms, owner, plane } = room;
    if (forms.unattended !== undefined) return `Nothing was kept: ${forms.unattended}.`;
    const whole = await wholeText(typed, `lesson ${goal.goal}`, room);
    if (typeof whole === 'object') return whole.instead;
    const act = { type: 'goal.lesson', goal: goal.goal, text: whole } as const;
    const answer = await plane.own(act, { ...owner, channel: 'prompt', grade: 'prompt' });
    if (!answer.ok) return answer.message;
    return `Kept for every later turn on ${goal.goal}, as the owner's judgment: ${whole}`;
  },
};

/** One word may be all that the host let through, so the owner is asked for the rest where a form can be shown. */
async function wholeText(typed: string, subject: string, room: PromptRoom) {
  if (!room.forms.canShow || !mayBeCut(typed)) return typed;
  const yes = await ownerYes(
    room,
    `${subject} ${typed}`,
    `Only "${typed}" arrived; some hosts cut at the first blank. Write the whole text in the note, or say yes to this one word.`,
  );
  if (yes.said === 'asking') return { instead: yes.request };
  if (yes.said === 'nothing') return { instead: `Nothing was kept: ${yes.why}.` };
  return yes.note.trim() === '' ? typed : yes.note.trim();
}
