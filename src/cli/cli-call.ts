import { homedir } from 'node:os';
import type { Command } from 'commander';
import { PlaneProvider } from '../plane-provider.ts';
import type { Answer, Caller } from '../state/answer.ts';
import type { ControlPlane } from '../state/control-plane.ts';
import { currentFolder, findWorkspace, type WorkspaceResult } from '../state/workspace/find-workspace.ts';
import { refusedAnswer } from '../tools/call-tool.ts';
import { exitCodeOf } from './exit-code.ts';
import { showAnswer } from './text/answer-text.ts';
import { showRefusal } from './text/refusal-text.ts';

/** What every command takes beside its own flags. */
export interface CommonFlags {
  readonly workspace?: string;
  readonly agent?: string;
  readonly idempotencyKey?: string;
  readonly json?: boolean;
}

export function addCommonFlags(program: Command): void {
  program
    .option('--workspace <folder>', 'the workspace, else LOOPX_WORKSPACE, else where you are')
    .option('--agent <name>', 'who acts, else LOOPX_AGENT')
    .option('--idempotency-key <text>', 'repeat a call whose answer was lost with the same key')
    .option('--json', 'print the answer as JSON, as MCP has it');
}

/** How an answer reads for people; JSON is the same for everybody. */
export type ShowText = (answer: Extract<Answer, { ok: true }>) => string;

/** One run of one command: its flags, its plane, what it prints and the code it ends with. */
export class CliCall {
  readonly common: CommonFlags;
  readonly env = process.env;
  readonly provider: PlaneProvider;
  exitCode = 0;

  constructor(command: Command) {
    this.common = command.optsWithGlobals();
    this.provider = new PlaneProvider({
      workspace: this.common.workspace,
      env: this.env,
      open: async (workspace) => {
        const { openControlPlane } = await import('../state/open-control-plane.ts');
        return openControlPlane({ ...workspace, env: this.env });
      },
    });
  }

  get caller(): Caller {
    return {
      kind: 'cli',
      host: 'cli',
      hostSession: this.env.CLAUDE_CODE_SESSION_ID || undefined,
      agent: this.common.agent,
    };
  }

  /** Nobody in particular: what a person looks at takes no notices away from an agent. */
  get observer(): Caller {
    return { kind: 'cli', host: 'cli', agent: '' };
  }

  /** Where the workspace is, or what was tried; for what has to work without an open plane. */
  findWorkspace(): WorkspaceResult {
    const { env } = this;
    return findWorkspace({
      explicit: this.common.workspace,
      env,
      cwd: currentFolder(),
      home: env.HOME ?? homedir(),
    });
  }

  open() {
    return this.provider.open(async () => []);
  }

  /** Runs with the open plane; without a workspace the answer is that refusal. */
  async answered(run: (plane: ControlPlane) => Promise<Answer>): Promise<Answer> {
    const opened = await this.open();
    return 'refusal' in opened ? refusedAnswer(opened.refusal) : run(opened.plane);
  }

  /** Prints an answer and takes over its exit code: the JSON and nothing else, or a short text. */
  print(answer: Answer, show: ShowText = showAnswer): void {
    this.exitCode = exitCodeOf(answer);
    if (this.common.json) this.line(JSON.stringify(answer));
    else if (answer.ok) this.line(show(answer));
    else this.complain(showRefusal(answer));
  }

  line(text: string): void {
    process.stdout.write(`${text}\n`);
  }

  complain(text: string): void {
    console.error(text);
  }
}
