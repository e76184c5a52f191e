import { checkAmendment } from './amendment.ts';
import { braked } from './claim.ts';
import type { OwnerAct } from './commands.ts';
import { findGoal } from './find.ts';
import type { Goal } from './model.ts';
import { type Owner, tooLow } from './owner-proof.ts';
import { badArgument, type Refused } from './refusal.ts';
import type { Result } from './state.ts';
import type { Work } from './work.ts';

/** goal amend: the owner changes objective, criteria, scope or quota. */
export function amend(work: Work, owner: Owner, act: Extract<OwnerAct, { type: 'goal.amend' }>): Result | Refused {
  const goal = liveGoal(work, act.goal);
  if ('refusal' in goal) return goal;
  const low = tooLow(work, owner, `\`loopx goal amend --goal ${goal.goal}\` in a terminal`);
  if (low) return low;
  const amendment = checkAmendment(goal, act.amendment, 'amendment');
  if ('refusal' in amendment) return amendment;
  work.emit({ type: 'goal.amended', goal: goal.goal, amendment, ...(act.words !== undefined && { words: act.words }) });
  tellGoal(work, goal.goal, `The owner changed goal ${goal.goal}; read its objective again.`);
  return { goal: goal.goal };
}

const brakes = {
  'goal.pause': { event: 'goal.paused', status: 'paused', words: 'paused' },
  'goal.stop': { event: 'goal.stopped', status: 'stopped', words: 'stopped' },
  'goal.resume': { event: 'goal.resumed', status: 'active', words: 'resumed' },
} as const;

/** The brake: pausing and stopping are free to every channel of the owner's, resuming needs a grade. */
export function brakeGoal(
  work: Work,
  owner: Owner,
  act: Extract<OwnerAct, { type: keyof typeof brakes }>,
): Result | Refused {
  const brake = brakes[act.type];
  const known = findGoal(work.state, act.goal);
  if ('refusal' in known) return known;
  if (known.status === brake.status)
    return { goal: known.goal, repeat: `goal ${known.goal} is ${known.status} already` };
  const goal = liveGoal(work, act.goal);
  if ('refusal' in goal) return goal;
  if (act.type === 'goal.resume') {
    const low = tooLow(work, owner, `\`loopx goal resume --goal ${goal.goal}\` in a terminal`);
    if (low) return low;
  }
  work.emit({ type: brake.event, goal: goal.goal, ...(act.words !== undefined && { words: act.words }) });
  tellGoal(work, goal.goal, `The owner ${brake.words} goal ${goal.goal}.${act.words ? ` They say: ${act.words}` : ''}`);
  return { goal: goal.goal };
}

function liveGoal(work: Work, name: string): Goal | Refused {
  const goal = findGoal(work.state, name);
  if ('refusal' in goal) return goal;
  if (goal.status === 'done' || goal.status === 'stopped') {
    return braked(work, goal, {
      decision: 'stop',
      code: `goal-${goal.status}`,
      why: `Goal ${goal.goal} is ${goal.status}; start another.`,
    });
  }
  return goal;
}

/** A lesson is the owner's judgment of recent work, kept for later turns. */
export function lesson(work: Work, act: Extract<OwnerAct, { type: 'goal.lesson' }>): Result | Refused {
  const goal = findGoal(work.state, act.goal);
  if ('refusal' in goal) return goal;
  const text = act.text.trim();
  if (text === '') return badArgument('text', 'text is the lesson, e.g. "Run the linter before you write back".');
  if (goal.lessons.some((known) => known.text === text))
    return { goal: goal.goal, repeat: 'that lesson is kept already' };
  work.emit({ type: 'goal.lesson-given', goal: goal.goal, text });
  return { goal: goal.goal };
}

/** Who has worked on the goal. */
export function agentsOn(work: Work, goal: string): Set<string> {
  return new Set([...work.state.agents.keys()].filter((agent) => work.state.turns.has(`${goal}/${agent}`)));
}

/** Tells everybody who works on the goal that the owner changed it. */
export function tellGoal(work: Work, goal: string, text: string): void {
  for (const agent of agentsOn(work, goal)) work.notify(agent, { code: 'owner-changed-goal', text });
}
