import type { Command } from 'commander';
import { version } from '../../version.ts';
import type { AddAction } from '../add-action.ts';
import { actOnYes, addProofFlags } from '../owner-act.ts';
import type { NounCommand } from '../tool-commands.ts';
import { wholeNumber } from '../whole-number.ts';
import { addConnectCommands } from './connect-command.ts';
import { demo } from './demo.ts';
import { doctor } from './doctor.ts';
import { addGateCommands } from './gate-commands.ts';
import { addGoalCommands } from './goal-commands.ts';
import { guard } from './guard.ts';
import { repair, verify } from './log-care.ts';
import { exportLog } from './log-export.ts';
import { addLookCommands } from './look-commands.ts';
import { addOnboardCommand } from './onboard-command.ts';
import { addOwnerCommands } from './owner-commands.ts';
import { startGoal } from './start-goal.ts';
import { watch } from './watch.ts';

/** The commands that are for people only: looking, answering, braking, mending. */
export function addPeopleCommands(program: Command, nounCommand: NounCommand, addAction: AddAction): void {
  addLookCommands(program, addAction);
  addGateCommands(nounCommand('gate'), addAction);
  addGoalCommands(nounCommand('goal'), addAction);
  addOwnerCommands(nounCommand('owner'), addAction);
  addAction(
    addProofFlags(nounCommand('evidence').command('accept <evidence>').summary("Give evidence the owner's grade")),
    async (call, flags, [id]) => {
      const act = { type: 'evidence.accept', evidence: (id ?? '').toUpperCase() } as const;
      call.print(
        await call.answered(async (plane) => {
          const found = await plane.query({ type: 'goal.status', view: 'evidence', id: act.evidence }, call.observer);
          if (!found.ok) return found;
          const { summary } = found.evidence as { summary: string };
          return actOnYes(call, plane, act, `Accept ${act.evidence}?\n${summary}`, flags);
        }),
      );
    },
  );
  addConnectCommands(program, addAction);
  addOnboardCommand(program, addAction);
  addAction(
    program
      .command('start-goal [objective]')
      .summary('Start a goal, by a sentence or by being asked')
      .option('--guided', 'ask for objective, criteria, scope and todos in a terminal'),
    startGoal,
  );
  addAction(program.command('watch').summary('The board, again with every change').option('--goal <slug>'), watch);
  addAction(program.command('doctor').summary('Version, workspace, store, sessions, and what to do'), doctor);
  addAction(
    nounCommand('log')
      .command('export', { isDefault: true })
      .summary('Every commit as a line of JSON')
      .option('--after <version>', 'only commits after this version', wholeNumber),
    exportLog,
  );
  addAction(
    program
      .command('guard <command...>')
      .summary('Run a command only while it holds what it needs: loopx guard --reserve port:8080 -- npm start')
      .requiredOption('--reserve <name...>', 'what to hold, e.g. path:src/** or deploy:prod')
      .option('--shared', 'with others that share it')
      .option('--ttl-s <seconds>', 'how long the hold outlives its guard'),
    guard,
  );
  addAction(nounCommand('log').command('verify').summary('Walk the log from its first byte; writes nothing'), verify);
  addAction(nounCommand('log').command('repair').summary('Mend a damaged log, after a backup'), repair);
  addAction(program.command('version').summary('The version of loopx'), async (call) =>
    call.line(call.common.json ? JSON.stringify({ ok: true, loopx: version, node: process.version }) : version),
  );
  addAction(
    program
      .command('demo')
      .summary('Two agents, one gate, you: the whole loop in a throw-away project')
      .option('--yes', 'answer the questions by itself, where no person sits')
      .option('--keep', 'leave the project there'),
    demo,
  );
  program.command('hook <event>').summary('For hosts: a hook, with its JSON on stdin and the answer on stdout');
  program.command('serve').summary('Serve MCP over stdio (takes --workspace only)');
}
