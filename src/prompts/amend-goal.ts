import type { Amendment } from '../state/kernel/model.ts';
import { changeLines, notYetIn } from './change-diff.ts';
import { changeOf } from './change-text.ts';
import type { Prompt, PromptOutcome, PromptRoom } from './define-prompt.ts';
import { firstWord, joined, mayBeCut } from './given.ts';
import { goalArgument, namedGoal } from './goal-argument.ts';
import { ownerYes } from './owner-yes.ts';
import type { SeenGoal } from './seen.ts';

export const amendGoal: Prompt = {
  name: 'amend_goal',
  title: 'Change a goal',
  description: "Records the owner's change of objective, criteria, scope or quota, after showing it and a yes.",
  does: 'change',
  arguments: [
    goalArgument(true),
    {
      name: 'change',
      description: 'New objective, or lines like "add: criterion", "drop: A2", "paths: src/**", "usd: 20"',
      required: true,
    },
  ],
  run: async (given, room) => {
    const { first, rest } = firstWord(given.goal ?? '');
    const goal = await namedGoal(first, room);
    if (typeof goal === 'string') return goal;
    const typed = joined(rest, given.change);
    if (typed === '') return `Say what should change, e.g. "objective: …" or "add: a criterion"; nothing was changed.`;
    if (!room.forms.canShow || !mayBeCut(typed)) return amend(goal, typed, room);
    // One word may be all that the host let through, so the owner is asked for the rest first.
    const whole = await ownerYes(
      room,
      `change ${goal.goal} ${typed}`,
      `Only "${typed}" arrived; some hosts cut at the first blank. Write the whole change in the note, or say yes to this one word. The change itself is shown next.`,
    );
    if (whole.said === 'asking') return whole.request;
    if (whole.said === 'nothing') return unchanged(goal, whole.why);
    return amend(goal, whole.note.trim() === '' ? typed : whole.note, room);
  },
};

async function amend(goal: SeenGoal, typed: string, room: PromptRoom): Promise<PromptOutcome> {
  const change = changeOf(typed);
  if (typeof change === 'string') return unchanged(goal, change);
  const left = notYetIn(goal, change);
  if (Object.keys(left).length === 0) return `Goal ${goal.goal} is like that already; nothing was changed.`;
  const lines = changeLines(goal, left);
  const subject = `amend ${goal.goal} ${goal.objectiveVersion} ${JSON.stringify(left)}`;
  const yes = await ownerYes(room, subject, `Change goal ${goal.goal} exactly like this?\n\n${lines.join('\n')}`);
  if (yes.said === 'asking') return yes.request;
  if (yes.said === 'nothing') return unchanged(goal, yes.why);
  const words = yes.note === '' ? {} : { words: yes.note };
  const answer = await room.plane.own({ type: 'goal.amend', goal: goal.goal, amendment: left, ...words }, yes.as);
  if (!answer.ok) return unchanged(goal, answer.message, left);
  return `The owner changed goal ${goal.goal}:\n${lines.join('\n')}\n\nRead it again with goal_status before going on.`;
}

function unchanged(goal: SeenGoal, why: string, change?: Amendment): string {
  const sample = change === undefined ? '{"objective": "…"}' : JSON.stringify(change);
  return `Goal ${goal.goal} stays as it is: ${why.replace(/\.$/, '')}. In a terminal: \`loopx goal amend --goal ${goal.goal} --amendment '${sample.replaceAll("'", "'\\''")}'\`.`;
}
