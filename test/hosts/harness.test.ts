import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HostRun, HostRunOptions } from './host-run.ts';
import type { HostName } from './host-versions.ts';
import { installHost } from './install-hosts.ts';
import { runClaude } from './run-claude.ts';
import { runCodex } from './run-codex.ts';
import { runGemini } from './run-gemini.ts';
import { runOpencode } from './run-opencode.ts';

type Host = {
  title: string;
  name: HostName;
  run: (options: HostRunOptions) => Promise<HostRun>;
  /** How the host spells the server's tools to its model. */
  toolNames: string[];
  /** Whether its protocol tells the model that a result is an error. */
  isErrorMarked: boolean;
};

const hosts: Host[] = [
  {
    title: 'Claude Code, newest',
    name: 'claude',
    run: (options) => runClaude({ ...options, build: 'claude' }),
    toolNames: ['mcp__loopx__goal_status', 'mcp__loopx__todo_claim'],
    isErrorMarked: true,
  },
  {
    title: 'Claude Code from npm on Node 20',
    name: 'claude-npm',
    run: (options) => runClaude({ ...options, build: 'claude-npm' }),
    toolNames: ['mcp__loopx__goal_status', 'mcp__loopx__todo_claim'],
    isErrorMarked: true,
  },
  {
    title: 'Codex',
    name: 'codex',
    run: runCodex,
    toolNames: ['mcp__loopx.goal_status', 'mcp__loopx.todo_claim'],
    isErrorMarked: false,
  },
  {
    title: 'OpenCode',
    name: 'opencode',
    run: runOpencode,
    toolNames: ['loopx_goal_status', 'loopx_todo_claim'],
    isErrorMarked: false,
  },
  {
    title: 'Gemini CLI',
    name: 'gemini',
    run: runGemini,
    toolNames: ['mcp_loopx_goal_status', 'mcp_loopx_todo_claim'],
    isErrorMarked: true,
  },
];

const installTimeoutMs = 600_000;
const runTimeoutMs = 120_000;
const fixture = fileURLToPath(new URL('fixture-server.mjs', import.meta.url));

describe.each(hosts)('$title', ({ name, run, toolNames, isErrorMarked }) => {
  let projectDir = '';
  let seen: HostRun;

  beforeAll(async () => {
    await installHost(name);
    projectDir = await mkdtemp(join(tmpdir(), 'loopx-project-'));
    execFileSync('git', ['init', '--quiet'], { cwd: projectDir });
    seen = await run({
      projectDir,
      server: { command: process.execPath, args: [fixture], env: { FIXTURE_LOG: join(projectDir, 'log') } },
      script: [
        { tool: 'todo_claim', args: { todo: 'T1' } },
        ({ last }) => ({ tool: 'goal_status', args: { token: last?.claim.token } }),
        { tool: 'todo_claim', args: { todo: 'T0' } },
        { say: 'That was the script.' },
      ],
    });
  }, installTimeoutMs + runTimeoutMs);

  afterAll(async () => {
    await rm(projectDir, { recursive: true, force: true });
  });

  it('plays the whole script and ends by itself', () => {
    expect(seen, seen.stderr).toMatchObject({ exitCode: 0, isTimedOut: false, played: 4, leftBehind: [] });
    expect(seen.stdout).toContain('That was the script.');
  });

  it('offers the tools of the server to the model under its own spelling, with the instructions', () => {
    expect(seen.tools).toEqual(expect.arrayContaining(toolNames));
    expect(seen.system).toContain('claim a todo before you work on it');
  });

  it('sends the model the whole answer of each call', () => {
    expect(seen.results.map(({ tool, json }) => [tool, json])).toEqual([
      ['todo_claim', { ok: true, todo: 'T1', claim: { token: 7, holder: 'fixture' } }],
      ['goal_status', { ok: true, goal: 'fixture', sawToken: 7 }],
      ['todo_claim', { ok: false, code: 'not-found', message: 'There is no todo T0.' }],
    ]);
    const marks = isErrorMarked ? [false, false, true] : [undefined, undefined, undefined];
    expect(seen.results.map(({ isError }) => isError)).toEqual(marks);
  });

  it('calls the server in the project folder, once a step', async () => {
    const lines = (await readFile(join(projectDir, 'log'), 'utf8')).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { tool: 'todo_claim', todo: 'T1', cwd: projectDir },
      { tool: 'goal_status', token: 7 },
      { tool: 'todo_claim', todo: 'T0', cwd: projectDir },
    ]);
  });
});
