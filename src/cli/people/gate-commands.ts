import type { Command } from 'commander';
import { gateText } from '../../prompts/gate-text.ts';
import { type SeenGate, seeGoals } from '../../prompts/seen.ts';
import type { Answer, OkAnswer } from '../../state/answer.ts';
import type { ControlPlane } from '../../state/control-plane.ts';
import type { OwnerAct } from '../../state/kernel/commands.ts';
import { badArgument } from '../../state/kernel/refusal.ts';
import { refusedAnswer } from '../../tools/call-tool.ts';
import type { AddAction } from '../add-action.ts';
import type { CliCall } from '../cli-call.ts';
import { actOnYes, addProofFlags, textFlag } from '../owner-act.ts';
import { withFoot } from '../text/answer-text.ts';
import { plain } from '../text/plain.ts';
import { answerGate } from './gate-answer.ts';
import { asAsked, readGate } from './read-gate.ts';

/** What the owner does with gates: look, answer, take back. */
export function addGateCommands(noun: Command, addAction: AddAction): void {
  addAction(
    noun
      .command('list')
      .summary('Show the gates')
      .option('--goal <slug>', 'only of this goal')
      .option('--state <state>', 'open, answered, withdrawn, superseded or all', 'open'),
    async (call, flags) => call.print(await call.answered((plane) => listGates(call, plane, flags)), gatesText),
  );
  addAction(noun.command('show <gate>').summary('Show a gate whole'), async (call, _flags, [gate]) =>
    call.print(await call.answered((plane) => readGate(call, plane, gate ?? '')), (answer) =>
      withFoot(plain(wholeText(answer.gate as SeenGate)), answer),
    ),
  );
  addAction(
    addProofFlags(
      noun
        .command('answer <gate> [option]')
        .summary("Give the owner's answer")
        .description('Asks on the terminal and records what is typed there. With --sign it needs no terminal.')
        .option('--note <text>', 'your words, kept with the answer'),
    ),
    async (call, flags, [gate, option]) =>
      call.print(await call.answered((plane) => answerGate(call, plane, gate ?? '', option, flags)), answeredText),
  );
  for (const [verb, type, what] of [
    ['withdraw', 'gate.withdraw', 'Take the question back, unanswered'],
    ['lift', 'gate.lift', 'Take the denial back'],
  ] as const)
    addAction(
      addProofFlags(noun.command(`${verb} <gate>`).summary(what).option('--note <text>', 'your words')),
      async (call, flags, [gate]) =>
        call.print(await call.answered((plane) => endGate(call, plane, type, gate ?? '', flags))),
    );
}

async function listGates(
  call: CliCall,
  plane: ControlPlane,
  flags: { readonly [name: string]: unknown },
): Promise<Answer> {
  const state = flags.state === 'all' ? undefined : textFlag(flags.state);
  const named = textFlag(flags.goal)?.toLowerCase();
  const goals = named === undefined ? (await seeGoals(plane, call.observer)).map(({ goal }) => goal) : [named];
  if (goals.length === 0) return plane.query({ type: 'goal.status', view: 'gates' }, call.observer);
  const pages: OkAnswer[] = [];
  for (const goal of goals) {
    const page = await plane.query({ type: 'goal.status', goal, view: 'gates', state, limit: 1_000 }, call.observer);
    if (!page.ok) return page;
    pages.push(page);
  }
  const sum = (name: string) => pages.reduce((total, page) => total + Number(page[name]), 0);
  return {
    ok: true,
    version: Math.max(...pages.map((page) => page.version)),
    gates: pages.flatMap((page) => page.gates as SeenGate[]),
    shown: sum('shown'),
    total: sum('total'),
  };
}

function gatesText(answer: OkAnswer): string {
  const gates = answer.gates as readonly (SeenGate & { blocks?: { todos: readonly string[]; goal: boolean } })[];
  const lines = gates.flatMap(({ gate, goal, state, question, options, blocks, answer: given }) => [
    `${gate} (${goal}, ${state}${given === undefined ? '' : `: ${given.option}`}) ${question}`,
    ...(state === 'open'
      ? [
          `   holds ${blocks?.goal ? 'the whole goal' : blocks?.todos.join(', ') || 'nothing'}`,
          `   loopx gate answer ${gate} ${options.map(({ key }) => key).join('|')}`,
        ]
      : []),
  ]);
  const more = Number(answer.total) > gates.length ? [`${gates.length} of ${answer.total} shown`] : [];
  return withFoot(plain([...(lines.length === 0 ? ['No such gate.'] : lines), ...more].join('\n')), answer);
}

function wholeText(gate: SeenGate): string {
  const { answer, state } = gate;
  const how = `loopx gate answer ${gate.gate} ${gate.options.map(({ key }) => key).join('|')}`;
  const end = answer
    ? `answered ${answer.option}${answer.words ? `: ${answer.words}` : ''}`
    : state === 'open'
      ? how
      : state;
  return `${gateText(gate)}\n\n${end}`;
}

function answeredText(answer: OkAnswer): string {
  const gate = answer.gate as SeenGate & { answer?: { readonly grade?: string } };
  const said = answer.repeat === undefined ? '' : ' (as before)';
  return withFoot(`${gate.gate} is answered ${gate.answer?.option}, grade ${gate.answer?.grade}${said}.`, answer);
}

async function endGate(
  call: CliCall,
  plane: ControlPlane,
  type: 'gate.withdraw' | 'gate.lift',
  id: string,
  flags: { readonly [name: string]: unknown },
): Promise<Answer> {
  const words = textFlag(flags.note);
  const found = await readGate(call, plane, id);
  if (!found.ok) return found;
  const gate = found.gate as SeenGate;
  const act: OwnerAct = { type, gate: gate.gate, ...(words !== undefined && { words }) };
  const isLift = type === 'gate.lift';
  const isPossible = isLift ? gate.state === 'answered' : gate.state === 'open';
  if (!isPossible) {
    const text = `${gate.gate} is ${gate.state}; ${isLift ? 'only a denial is lifted' : 'only an open gate is withdrawn'}.`;
    return refusedAnswer(badArgument('gate', text).refusal);
  }
  const verb = isLift ? 'Take back the denial of' : 'Withdraw, unanswered,';
  return actOnYes(call, plane, act, `${verb} ${gate.gate}?\n${gate.question}`, flags, asAsked(gate));
}
