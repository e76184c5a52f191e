import { Command, CommanderError } from 'commander';
import { badArgument } from '../state/kernel/refusal.ts';
import { refusedAnswer } from '../tools/call-tool.ts';
import { version } from '../version.ts';
import type { Action } from './add-action.ts';
import { addCommonFlags, CliCall } from './cli-call.ts';
import { exitCodes } from './exit-code.ts';
import { addPeopleCommands } from './people/add-people-commands.ts';
import { addToolCommands } from './tool-commands.ts';

/**
 * Runs one command line and answers its exit code: 0 done, 1 refused, 2 wrong use, 3 trouble with the store.
 * @param argv what stands after `loopx`
 */
export async function runCli(argv: readonly string[]): Promise<number> {
  let exitCode: number = exitCodes.ok;
  // A reader that has seen enough (`| head`) is no failure of ours.
  process.stdout.on('error', () => process.exit(exitCode));
  const program = buildProgram(async (call, run) => {
    try {
      await run();
      exitCode = call.exitCode;
    } catch (error) {
      call.complain(`loopx: unexpected: ${String((error as Error)?.message ?? error)}`);
      exitCode = exitCodes.storeTrouble;
    } finally {
      await call.provider.close();
    }
  });
  try {
    await program.parseAsync(argv, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return wrongUse(error, argv);
  }
  return exitCode;
}

type Around = (call: CliCall, run: () => Promise<void>) => Promise<void>;

function buildProgram(around: Around): Command {
  const program = new Command('loopx')
    .description('A durable control plane for coding agents. Without arguments on a pipe it serves MCP over stdio.')
    .version(version, '--version')
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .showSuggestionAfterError()
    .helpCommand('help [command]', 'how a command is used')
    .addHelpText('after', '\nExit codes: 0 done, 1 refused, 2 wrong use, 3 trouble with the store.');
  addCommonFlags(program);
  const nouns = new Map<string, Command>();
  const nounCommand = (noun: string) => {
    const known = nouns.get(noun) ?? program.command(noun);
    nouns.set(noun, known);
    return known;
  };
  const addAction = (command: Command, action: Action) =>
    command.action(async (...given: unknown[]) => {
      const call = new CliCall(command);
      const words = given.slice(0, -2) as (string | undefined)[];
      await around(call, () => action(call, command.opts(), words));
    });
  program.commandsGroup('The tools, as over MCP:');
  addToolCommands(program, nounCommand, addAction);
  program.commandsGroup('For people:');
  addPeopleCommands(program, nounCommand, addAction);
  for (const noun of nouns.values()) noun.summary(noun.commands.map((command) => command.name()).join(', '));
  return program;
}

/** Commander has said on stderr what is wrong; with --json the refusal is on stdout too. */
function wrongUse(error: CommanderError, argv: readonly string[]): number {
  if (error.exitCode === 0) return exitCodes.ok;
  if (argv.includes('--json')) {
    const field = /'-*([^' ]*)/.exec(error.message)?.[1] ?? '';
    const message = error.message.replace(/^error: /, '');
    process.stdout.write(`${JSON.stringify(refusedAnswer(badArgument(field, message).refusal))}\n`);
  }
  return exitCodes.usage;
}
