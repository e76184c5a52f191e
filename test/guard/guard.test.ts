import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const main = resolve('dist/main.js');
let home: string;
let project: string;
let running: ChildProcess[] = [];

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'loopx-guard-'));
  project = join(home, 'project');
  execFileSync('git', ['init', '-q', project]);
});

afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
  running = [];
  rmSync(home, { recursive: true, force: true });
});

const env = (agent: string) => ({ PATH: process.env.PATH, HOME: home, LOOPX_AGENT: agent });

function loopx(agent: string, ...args: readonly string[]) {
  return spawnSync('node', [main, ...args], { cwd: project, env: env(agent), encoding: 'utf8' });
}

function guard(agent: string, args: readonly string[]): ChildProcess {
  const child = spawn('node', [main, 'guard', ...args], {
    cwd: project,
    env: env(agent),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  return child;
}

async function until(isTrue: () => boolean): Promise<void> {
  for (let tries = 0; !isTrue(); tries++) {
    if (tries > 400) throw new Error('it never came true');
    await new Promise((done) => setTimeout(done, 25));
  }
}

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

test('a guarded command runs while it holds, and gives back at its end, with its own exit code [R36]', () => {
  const end = loopx('ann', 'guard', '--reserve', 'port:8080', '--', 'sh', '-c', 'exit 7');
  expect(end.status).toBe(7);
  const after = loopx('bob', 'reserve', '--resources', '["port:8080"]', '--json');
  expect(JSON.parse(after.stdout)).toMatchObject({ ok: true });
});

test('a command whose resource another holds is not started [R36]', () => {
  expect(loopx('bob', 'reserve', '--resources', '["deploy:prod"]', '--json').status).toBe(0);
  const end = loopx('ann', 'guard', '--reserve', 'deploy:prod', '--json', '--', 'touch', 'started');
  expect(end.status).toBe(1);
  expect(JSON.parse(end.stdout)).toMatchObject({ ok: false, code: 'reserved', details: { holder: 'bob' } });
  expect(existsSync(join(project, 'started'))).toBe(false);
});

test('a guard that is killed frees nothing that its command still uses, and frees it when the command ends [R36]', async () => {
  const held = guard('ann', [
    '--reserve',
    'path:build/**',
    '--ttl-s',
    '1',
    '--',
    'sh',
    '-c',
    'echo $$ > pid; sleep 60',
  ]);
  const pidFile = join(project, 'pid');
  await until(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8').trim() !== '');
  const pid = Number(readFileSync(pidFile, 'utf8'));
  await until(
    () =>
      JSON.parse(loopx('bob', 'reserve', '--resources', '["path:build/out.js"]', '--json').stdout).code === 'reserved',
  );
  held.kill('SIGKILL');
  await new Promise((done) => setTimeout(done, 2_500));
  expect(isAlive(pid)).toBe(true);
  const denied = JSON.parse(loopx('bob', 'reserve', '--resources', '["path:build/out.js"]', '--json').stdout);
  expect(denied).toMatchObject({ ok: false, code: 'reserved', details: { holder: 'ann' } });
  process.kill(-pid, 'SIGKILL');
  await until(
    () => JSON.parse(loopx('bob', 'reserve', '--resources', '["path:build/out.js"]', '--json').stdout).ok === true,
  );
});

test('a lease that is lost stops the whole process group of the command [R36]', async () => {
  const script = 'sleep 60 & echo $! > inner; echo $$ > outer; wait';
  const held = guard('ann', ['--reserve', 'account:shop-1', '--ttl-s', '1', '--', 'sh', '-c', script]);
  await until(() => existsSync(join(project, 'outer')) && readFileSync(join(project, 'outer'), 'utf8').trim() !== '');
  const pids = ['inner', 'outer'].map((name) => Number(readFileSync(join(project, name), 'utf8')));
  // The log is taken away, so that no renewal can be written any more.
  rmSync(join(project, '.loopx', 'log'), { recursive: true, force: true });
  await until(() => held.exitCode !== null || held.signalCode !== null);
  for (const pid of pids) expect(isAlive(pid)).toBe(false);
});
