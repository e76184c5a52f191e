import { homedir } from 'node:os';
import { type Command, Option } from 'commander';
import { carryOutPlan, type Deed, type FileReport, makePlan, reportPlan } from '../../connect/connect.ts';
import { hosts, type Scope } from '../../connect/host-table.ts';
import type { Machine } from '../../connect/machine.ts';
import { unknownNames } from '../../connect/targets.ts';
import { badArgument } from '../../state/kernel/refusal.ts';
import { refusedAnswer } from '../../tools/call-tool.ts';
import type { Action, AddAction } from '../add-action.ts';
import { askPerson } from '../ask-person.ts';
import type { CliCall } from '../cli-call.ts';
import { exitCodes } from '../exit-code.ts';
import { doneText, planText } from '../text/connect-text.ts';

/** `loopx connect` and `loopx disconnect`: the hosts' own configuration files, shown before they are written. */
export function addConnectCommands(program: Command, addAction: AddAction): void {
  const guide = () =>
    program.commands.some((command) => command.name() === 'start-goal')
      ? 'loopx start-goal --guided'
      : 'loopx goal start --objective "…"';
  addAction(flagged(program.command('connect').summary('Tell the hosts of the server')), run('connect', guide));
  addAction(flagged(program.command('disconnect').summary('Take the server out again')), run('disconnect', guide));
}

function flagged(command: Command): Command {
  return command
    .option('--host <name...>', `of ${hosts.map(({ name }) => name).join(', ')}; else all that are found`)
    .addOption(new Option('--scope <scope>', 'whose file').choices(['project', 'user']))
    .option('--yes', 'write without asking')
    .option('--dry-run', 'only show what would be written');
}

interface ConnectFlags {
  readonly host?: readonly string[];
  readonly scope?: Scope;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
}

function run(deed: Deed, guide: () => string): Action {
  return async (call, given) => {
    const flags = given as ConnectFlags;
    const names = flags.host ?? [];
    const [unknown] = unknownNames(names);
    if (unknown !== undefined) {
      const known = hosts.map(({ name }) => name).join(', ');
      return call.print(
        refusedAnswer(badArgument('host', `\`${unknown}\` is no host that connect knows: ${known}.`).refusal),
      );
    }
    const machine = machineOf(call);
    const plan = makePlan(deed, { names, scope: flags.scope }, machine, process.execPath);
    const planned = reportPlan(plan);
    const isOpen = planned.some(({ status }) => status === 'would-write');
    if (!call.common.json) call.line(planText(deed, planned, hosts));
    if (!isOpen || flags.dryRun) return finish(call, deed, planned, isOpen ? [] : await hints(call, deed, guide));
    const why = flags.yes ? undefined : await whyNot(call, planned);
    if (why !== undefined) return finish(call, deed, planned, [], why);
    const done = carryOutPlan(plan, machine, new Date().toISOString().slice(0, 10));
    if (!call.common.json) call.line(doneText(done));
    return finish(call, deed, done, await hints(call, deed, guide));
  };
}

/** Without a yes, why nothing is written. */
async function whyNot(call: CliCall, planned: readonly FileReport[]): Promise<string | undefined> {
  const files = planned.filter(({ status }) => status === 'would-write').map(({ file }) => file);
  const said = await askPerson(
    call.env,
    `Write ${files.join(', ')}?`,
    'Type yes to write; anything else writes nothing:',
  );
  if ('why' in said) return `${said.why}; add --yes to write without being asked`;
  return said.typed.toLowerCase() === 'yes' ? undefined : 'yes was not typed';
}

function finish(call: CliCall, deed: Deed, files: readonly FileReport[], hints: readonly string[], why?: string): void {
  const left = files.find(({ status }) => status === 'left');
  const ok = left === undefined && why === undefined;
  call.exitCode = ok ? exitCodes.ok : exitCodes.refusal;
  const code = why === undefined ? left?.code : 'not-allowed';
  const message = why === undefined ? left?.message : `Nothing was written: ${why}.`;
  if (call.common.json) {
    call.line(JSON.stringify({ ok, deed, code, message, files, hints }));
    return;
  }
  if (why !== undefined) call.complain(`Nothing was written: ${why}.`);
  for (const hint of hints) call.line(hint);
}

/** Where there is no goal yet, how to begin with one. */
async function hints(call: CliCall, deed: Deed, guide: () => string): Promise<readonly string[]> {
  if (deed === 'disconnect' || !call.findWorkspace().ok) return [];
  const answer = await call.answered((plane) => plane.query({ type: 'goal.status' }, call.observer));
  return !answer.ok && answer.code === 'no-goal' ? [`There is no goal here yet: \`${guide()}\` sets one up.`] : [];
}

function machineOf(call: CliCall): Machine {
  const { env } = call;
  const place = call.findWorkspace();
  return {
    platform: process.platform,
    env,
    home: env.HOME ?? homedir(),
    project: place.ok ? place.worktree : undefined,
  };
}
