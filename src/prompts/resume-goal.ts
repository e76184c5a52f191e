import type { Prompt } from './define-prompt.ts';
import { firstWord, joined } from './given.ts';
import { goalArgument, namedGoal } from './goal-argument.ts';
import { ownerYes } from './owner-yes.ts';

export const resumeGoal: Prompt = {
  name: 'resume_goal',
  title: 'Resume a goal',
  description: 'Lets a paused goal go on, after a yes.',
  does: 'change',
  arguments: [goalArgument(true)],
  run: async (given, room) => {
    const { first, rest } = firstWord(joined(given.goal));
    const goal = await namedGoal(first, room);
    if (typeof goal === 'string') return goal;
    if (goal.status === 'active') return `Goal ${goal.goal} is active already; nothing was changed.`;
    const elsewhere = `In a terminal: \`loopx goal resume --goal ${goal.goal}\`.`;
    const subject = `resume ${goal.goal} ${goal.status}`;
    const yes = await ownerYes(room, subject, `Resume goal ${goal.goal} (now ${goal.status})?\n\n${goal.objective}`);
    if (yes.said === 'asking') return yes.request;
    if (yes.said === 'nothing') return `Goal ${goal.goal} stays ${goal.status}: ${yes.why}. ${elsewhere}`;
    const words = yes.note === '' ? rest : yes.note;
    const act = { type: 'goal.resume', goal: goal.goal, ...(words !== '' && { words }) } as const;
    const answer = await room.plane.own(act, yes.as);
    if (!answer.ok) return `Goal ${goal.goal} stays ${goal.status}: ${answer.message} ${elsewhere}`;
    return `The owner resumed goal ${goal.goal}. Go on with quota_should_run {"goal": "${goal.goal}", "claim": true}.`;
  },
};
