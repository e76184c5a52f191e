import type { GoalStart } from '../../state/kernel/commands.ts';
import { askPerson } from '../ask-person.ts';
import type { CliCall } from '../cli-call.ts';
import { exitCodes } from '../exit-code.ts';

const begin = 'What should be reached? One sentence that can be judged.';
const more = 'One a line; an empty line goes on.';

/** loopx start-goal: asks for what a goal needs, one question after the other, and starts it. */
export async function startGoal(
  call: CliCall,
  flags: { readonly [name: string]: unknown },
  [words]: readonly (string | undefined)[],
): Promise<void> {
  const act: GoalStart | undefined =
    flags.guided === true ? await guided(call) : words === undefined ? undefined : { objective: words };
  if (act === undefined) {
    call.complain(
      'loopx: say what to reach, `loopx start-goal "…"`, or be asked in a terminal, `loopx start-goal --guided`',
    );
    call.exitCode = exitCodes.usage;
    return;
  }
  call.print(await call.answered((plane) => plane.execute({ type: 'goal.start', ...act }, call.caller)));
}

/** Undefined where nobody answers: a goal is not made up. */
async function guided(call: CliCall): Promise<GoalStart | undefined> {
  const objective = await one(call, 'A new goal', begin);
  if (objective === undefined || objective === '') return undefined;
  const acceptance = await several(call, 'How will you know that it is done? Each criterion needs proof.', more);
  const nonGoals = await several(call, 'What is not wanted, though somebody might think so?', more);
  const paths = await several(call, 'Which files may be touched? Globs such as src/**; none means all.', more);
  const titles = await several(call, 'What are the first todos? The agents add more.', more);
  return {
    objective,
    acceptance,
    nonGoals,
    ...(paths.length > 0 && { scope: { paths } }),
    todos: titles.map((title) => ({ title })),
  };
}

async function one(call: CliCall, text: string, prompt: string): Promise<string | undefined> {
  const said = await askPerson(call.env, text, prompt);
  return 'typed' in said ? said.typed : undefined;
}

async function several(call: CliCall, text: string, prompt: string): Promise<readonly string[]> {
  const list: string[] = [];
  for (;;) {
    const typed = await one(call, list.length === 0 ? text : `${list.length} so far.`, prompt);
    if (typed === undefined || typed === '') return list;
    list.push(typed);
  }
}
