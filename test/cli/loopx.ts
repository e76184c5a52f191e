import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** The built command; LOOPX_TEST_MAIN names another build of it. */
export const mainPath = process.env.LOOPX_TEST_MAIN ?? join(root, 'dist', 'main.js');

/** An answer as a test looks into it. */
// biome-ignore lint/suspicious/noExplicitAny: tests go into answers field by field
export type Answered = Record<string, any>;

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Stdout read as JSON. */
  readonly json: Answered;
}

/** A home with a git project in it, and the command run there with HOME and PATH only. */
export class Place {
  readonly home = realpathSync(mkdtempSync(join(tmpdir(), 'loopx-cli-')));
  readonly project = join(this.home, 'project');
  readonly env: Record<string, string> = { HOME: this.home, PATH: process.env.PATH ?? '' };

  constructor() {
    mkdirSync(this.project);
    spawnSync('git', ['init', '-q', this.project], { env: this.env });
  }

  run(args: readonly string[], more: { cwd?: string; env?: Record<string, string>; input?: string } = {}): Ran {
    const { status, stdout, stderr } = spawnSync(process.execPath, [mainPath, ...args], {
      cwd: more.cwd ?? this.project,
      env: { ...this.env, ...more.env },
      input: more.input ?? '',
      encoding: 'utf8',
    });
    return {
      code: status,
      stdout,
      stderr,
      get json() {
        return JSON.parse(stdout) as Answered;
      },
    };
  }

  /** The command as an agent of that name, answering JSON. */
  as(agent: string, ...args: readonly string[]): Answered {
    return this.run([...args, '--json'], { env: { LOOPX_AGENT: agent } }).json;
  }

  start(args: readonly string[], env: Record<string, string> = {}) {
    return spawn(process.execPath, [mainPath, ...args], { cwd: this.project, env: { ...this.env, ...env } });
  }

  remove(): void {
    rmSync(this.home, { recursive: true, force: true });
  }
}
