import type { Command } from 'commander';
import { changeLines, notYetIn } from '../../prompts/change-diff.ts';
import { changeOf } from '../../prompts/change-text.ts';
import type { SeenGoal } from '../../prompts/seen.ts';
import type { Answer, OkAnswer } from '../../state/answer.ts';
import type { ControlPlane } from '../../state/control-plane.ts';
import { badArgument } from '../../state/kernel/refusal.ts';
import { refusedAnswer } from '../../tools/call-tool.ts';
import type { Action, AddAction } from '../add-action.ts';
import { agentShellMark } from '../agent-shell.ts';
import type { CliCall } from '../cli-call.ts';
import { actOnYes, addProofFlags, notDone, ownerAs, textFlag } from '../owner-act.ts';
import { withFoot } from '../text/answer-text.ts';
import { plain } from '../text/plain.ts';

type Flags = { readonly [name: string]: unknown };
type GoalAct = (call: CliCall, plane: ControlPlane, goal: SeenGoal, flags: Flags) => Promise<Answer>;

/** What only the owner does to a goal. Pausing and stopping need no terminal: a brake is free to pull. */
export function addGoalCommands(noun: Command, addAction: AddAction): void {
  const command = (verb: string, summary: string) =>
    noun.command(`${verb} [goal]`).summary(summary).option('--goal <slug>', 'the goal, else the only one');
  const noted = (verb: string, summary: string) => command(verb, summary).option('--note <text>', 'your words');
  addAction(noted('pause', 'Let no agent take up work on it'), onGoal(brake('goal.pause')));
  addAction(noted('stop', 'End it for good'), onGoal(brake('goal.stop')));
  addAction(addProofFlags(noted('resume', 'Let a paused goal go on')), onGoal(resume));
  addAction(
    addProofFlags(noted('amend', 'Change objective, criteria, scope or quota'))
      .option('--amendment <json>', 'fields: title, objective, addAcceptance, dropAcceptance, nonGoals, scope, quota')
      .option('--change <text>', 'the same in lines: "objective: …", "add: a criterion", "drop: A2", "usd: 20"'),
    onGoal(amend),
  );
  addAction(
    command('lesson', 'Keep a judgment for later turns').requiredOption('--text <text>', 'the lesson'),
    onGoal(lesson),
  );
}

function onGoal(act: GoalAct): Action {
  return async (call, flags, [word]) => {
    const goal = (word ?? textFlag(flags.goal))?.trim().toLowerCase();
    call.print(
      await call.answered(async (plane) => {
        const found = await plane.query({ type: 'goal.status', goal }, call.observer);
        return found.ok ? act(call, plane, found.goal as SeenGoal, flags) : found;
      }),
      goalText,
    );
  };
}

function goalText(answer: OkAnswer): string {
  const { goal, status, objective } = answer.goal as SeenGoal;
  const said = answer.repeat === undefined ? '' : ' as before';
  return withFoot(plain(`${goal} is ${status}${said}: ${objective}`), answer);
}

function brake(type: 'goal.pause' | 'goal.stop'): GoalAct {
  return (call, plane, { goal }, flags) =>
    plane.own({ type, goal, ...wordsOf(flags) }, ownerAs(call, 'prompt'), call.common.idempotencyKey);
}

const resume: GoalAct = (call, plane, { goal, status, objective }, flags) => {
  const act = { type: 'goal.resume', goal, ...wordsOf(flags) } as const;
  // What cannot be resumed, or is active, has the same reply for everybody.
  if (status !== 'paused') return plane.own(act, ownerAs(call, 'prompt'), call.common.idempotencyKey);
  return actOnYes(call, plane, act, `Resume goal ${goal} (now ${status})?\n${objective}`, flags);
};

const amend: GoalAct = async (call, plane, goal, flags) => {
  const given = textFlag(flags.amendment) ?? textFlag(flags.change);
  if (given === undefined) {
    return refusedAnswer(
      badArgument(
        'amendment',
        'Say what should change, e.g. --amendment \'{"objective":"…"}\' or --change "add: a criterion".',
      ).refusal,
    );
  }
  const change = changeOf(given);
  if (typeof change === 'string') return refusedAnswer(badArgument('amendment', change).refusal);
  const left = notYetIn(goal, change);
  if (Object.keys(left).length === 0)
    return notDone(`goal ${goal.goal} is like that already`, 'Nothing was changed', { goal: goal.goal });
  const question = `Change goal ${goal.goal} exactly like this?\n${changeLines(goal, left).join('\n')}`;
  return actOnYes(
    call,
    plane,
    { type: 'goal.amend', goal: goal.goal, amendment: left, ...wordsOf(flags) },
    question,
    flags,
  );
};

const lesson: GoalAct = async (call, plane, { goal }, flags) => {
  const mark = agentShellMark(call.env);
  if (mark !== undefined) return notDone(mark, 'Nothing was kept');
  const act = { type: 'goal.lesson', goal, text: textFlag(flags.text) ?? '' } as const;
  return plane.own(act, ownerAs(call, 'prompt'), call.common.idempotencyKey);
};

function wordsOf(flags: Flags): { words?: string } {
  const words = textFlag(flags.note);
  return words === undefined ? {} : { words };
}
