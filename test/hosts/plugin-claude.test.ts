import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Body } from '../e2e/loopx-client.ts';
import { Project } from '../e2e/project.ts';
import { type HostRun, makeHome, runHost } from './host-run.ts';
import { type HostCommand, installHost } from './install-hosts.ts';
import { hostSays, makeCommands, pluginDir, repository } from './plugin.ts';
import { claudeLaunch } from './run-claude.ts';
import type { ScriptStep } from './script.ts';

const tool = (name: string) => `mcp__plugin_loopx_loopx__${name}`;
const mcp = (name: string, input: Record<string, unknown> = {}): ScriptStep => ({ raw: { name: tool(name), input } });

describe.each(['claude', 'claude-npm'] as const)('The plugin in Claude Code (%s)', (build) => {
  let host: HostCommand;
  let home = '';
  let project: Project;
  let run: HostRun;
  let validated = '';
  let listed = '';
  let after: Body;

  const write = (path: string): ScriptStep => ({
    raw: { name: 'Write', input: { file_path: join(project.dir, path), content: 'x\n' } },
  });
  const bash = (command: string): ScriptStep => ({ raw: { name: 'Bash', input: { command } } });

  beforeAll(async () => {
    host = await installHost(build);
    home = await makeHome();
    project = await Project.make();
    const bin = await makeCommands(home);
    validated = await hostSays(host, home, ['plugin', 'validate', pluginDir]);
    await hostSays(host, home, ['plugin', 'marketplace', 'add', repository]);
    await hostSays(host, home, ['plugin', 'install', 'loopx@loopx']);
    listed = await hostSays(host, home, ['plugin', 'list']);
    const desk = await project.client('desk');
    await desk.call('goal_start', {
      goal: 'csv-import',
      objective: 'Import CSV files',
      scope: { denyPaths: ['secrets/**'] },
      todos: [{ title: 'Write the importer', scope: { paths: ['src/**'] } }],
    });
    await desk.call('gate_ask', {
      question: 'May it be deployed?',
      kind: 'approval',
      blocks: { todos: [] },
      protects: { paths: ['deploy/**'], commands: ['npm publish'] },
    });
    const script: ScriptStep[] = [
      mcp('agent_join', { agent: 'ann' }),
      mcp('quota_should_run', { claim: true }),
      write('src/import.js'),
      write('docs/import.md'),
      write('deploy/prod.yml'),
      write('secrets/key'),
      bash('cd . && npm publish --dry-run'),
      bash('echo on > deploy/flag'),
      bash('echo fine > src/other.js'),
      { say: 'That is it.' },
      { say: 'Still nothing to write back.' },
    ];
    run = await runHost(
      { projectDir: project.dir, server: { command: 'none', args: [] }, script, homeDir: home },
      async (homeDir, modelUrl) => {
        const launch = await claudeLaunch(
          { projectDir: project.dir, server: { command: 'none', args: [] }, script, build },
          homeDir,
          modelUrl,
        );
        const allowed = ['Write', 'Bash', 'mcp__plugin_loopx_loopx'].join(',');
        const args = [
          '-p',
          'Follow the script.',
          '--output-format',
          'stream-json',
          '--verbose',
          '--allowedTools',
          allowed,
        ];
        return { ...launch, args, env: { ...launch.env, PATH: `${bin}${delimiter}${launch.env.PATH}` } };
      },
    );
    after = await desk.call('goal_status', { id: 'T1' });
  }, 300_000);

  afterAll(async () => {
    await project?.remove();
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  });

  const result = (at: number) => run.results[at]?.text ?? '';

  it('passes the validation of the host, and is installed from the repository as its marketplace [R33]', () => {
    expect(validated).toContain('Validation passed');
    expect(listed).toMatch(/loopx@loopx[\s\S]*enabled/);
  });

  it('runs to its end with the tools of its own server and its skill', () => {
    expect(run, run.stderr).toMatchObject({ exitCode: 0, isTimedOut: false, leftBehind: [] });
    expect(run.tools).toContain(tool('quota_should_run'));
    expect(JSON.stringify(run.requests.map(({ body }) => body))).toContain('loopx-governed-turn');
  });

  it('brings the resume packet to the model when the session starts [R40]', () => {
    const first = JSON.stringify(
      run.requests.map(({ body }) => body).find((body) => JSON.stringify(body).includes('LoopX keeps goals')),
    );
    expect(first).toContain('quota_should_run would say now');
    expect(first).toContain('Write the importer');
    expect(first).toContain('May it be deployed?');
  });

  it('lets a write within the scope through, and a command that nothing protects', async () => {
    expect(await readFile(join(project.dir, 'src/import.js'), 'utf8')).toBe('x\n');
    expect(await readFile(join(project.dir, 'src/other.js'), 'utf8')).toBe('fine\n');
  });

  it('denies a write outside the scope of what is held', () => {
    expect(result(3)).toContain('docs/import.md is outside the scope of what you hold: T1 (src/**)');
    expect(existsSync(join(project.dir, 'docs'))).toBe(false);
  });

  it('denies what an open gate protects, by tool and by shell, with the gate and how the owner answers [R37]', () => {
    for (const at of [4, 6, 7]) {
      expect(result(at)).toContain('gate G1 protects');
      expect(result(at)).toContain('loopx gate answer G1');
    }
    expect(result(6)).toContain('npm publish --dry-run');
    expect(existsSync(join(project.dir, 'deploy'))).toBe(false);
  });

  it("denies what the goal's denyPaths name", () => {
    expect(result(5)).toContain('secrets/key is denied by the goal csv-import');
    expect(existsSync(join(project.dir, 'secrets'))).toBe(false);
  });

  it('asks for the missing writeback once, and no second time', () => {
    const asked = JSON.stringify(run.requests.at(-1)?.body).split('Stop hook feedback:').length - 1;
    expect(asked).toBe(1);
    expect(JSON.stringify(run.requests.at(-1)?.body)).toContain('wrote nothing back about it');
    expect(run.played).toBe(11);
  });

  it('gives back what the session held when it ends, with a note', () => {
    expect(after.todo).toMatchObject({ state: 'open' });
    expect(JSON.stringify(after.todo.notes)).toContain('Given back at the end of its session in claude-code');
  });
});
