import { execFileSync } from 'node:child_process';

/** Builds dist/ once for all tests that start the real server; LOOPX_SKIP_BUILD=1 takes it as it is. */
export function setup(): void {
  if (process.env.LOOPX_SKIP_BUILD) return;
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: ['ignore', 'inherit', 'inherit'] });
}
