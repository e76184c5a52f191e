import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Variables of a host or of git around this process, which would send the demo's servers somewhere else. */
const foreign = /^(LOOPX|CLAUDE|CODEX|OPENCODE|GEMINI|CURSOR|AI_AGENT|GIT_)/;

/** A git project that lives as long as the demo. */
export class DemoWorkspace {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;

  constructor() {
    this.env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)));
    this.folder = realpathSync(mkdtempSync(join(tmpdir(), 'loopx-demo-')));
    this.git('init', '--quiet');
    this.write('README.md', '# A demo project\n');
    this.commit('Begin');
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.folder, file), text);
  }

  /** Commits all files and answers the commit's id. */
  commit(message: string): string {
    this.git('add', '--all');
    const who = ['-c', 'user.name=loopx demo', '-c', 'user.email=demo@localhost', '-c', 'commit.gpgsign=false'];
    this.git(...who, 'commit', '--quiet', '--message', message);
    return this.git('rev-parse', 'HEAD').trim();
  }

  git(...args: readonly string[]): string {
    return execFileSync('git', args, { cwd: this.folder, env: this.env, encoding: 'utf8' });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
