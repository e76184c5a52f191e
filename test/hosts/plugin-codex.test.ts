import { readFile, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mainFile } from '../e2e/loopx-client.ts';
import { Project } from '../e2e/project.ts';
import { type HostRun, makeHome, runHost } from './host-run.ts';
import { installHost } from './install-hosts.ts';
import { hostSays, makeCommands, repository } from './plugin.ts';
import { type CodexOptions, codexLaunch } from './run-codex.ts';
import type { ScriptStep } from './script.ts';

describe('The plugin in Codex', () => {
  let home = '';
  let project: Project;
  let run: HostRun;
  let listed = '';

  beforeAll(async () => {
    const host = await installHost('codex');
    home = await makeHome();
    project = await Project.make();
    const bin = await makeCommands(home);
    await hostSays(host, home, ['plugin', 'marketplace', 'add', repository]);
    await hostSays(host, home, ['plugin', 'add', 'loopx@loopx']);
    listed = await hostSays(host, home, ['plugin', 'list']);
    const installed = await readFile(join(home, '.codex', 'config.toml'), 'utf8');
    const desk = await project.client('desk');
    await desk.call('goal_start', { goal: 'csv-import', objective: 'Import CSV files', todos: [{ title: 'Import' }] });
    await desk.call('gate_ask', { question: 'May it be deployed?', kind: 'approval', protects: { paths: ['deploy'] } });
    const script: ScriptStep[] = [
      // The server of a plugin is not waited for.
      { raw: { name: 'exec_command', input: { cmd: 'sleep 4' } } },
      { tool: 'goal_status' },
      { raw: { name: 'apply_patch', input: '*** Begin Patch\n*** Add File: deploy/x\n+x\n*** End Patch\n' } },
      { say: 'That is it.' },
    ];
    const options: CodexOptions = {
      projectDir: project.dir,
      server: { command: process.execPath, args: [mainFile] },
      script,
      homeDir: home,
      model: 'gpt-5.5',
      sandbox: 'danger-full-access',
      env: { PATH: `${bin}${delimiter}${process.env.PATH}` },
      hostArgs: ['--dangerously-bypass-hook-trust', 'Follow the script.'],
    };
    run = await runHost(options, async (homeDir, modelUrl) => {
      const launch = await codexLaunch(options, homeDir, modelUrl, ['exec', '--skip-git-repo-check', '--json']);
      const file = join(homeDir, '.codex', 'config.toml');
      const own = (await readFile(file, 'utf8')).replace('plugins = false', 'plugins = true');
      // The only server is that of the plugin.
      await writeFile(file, `${own.slice(0, own.indexOf('[mcp_servers.'))}\n${installed}`);
      return launch;
    });
  }, 300_000);

  afterAll(async () => {
    await project?.remove();
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  });

  it('is installed from the same marketplace, and runs', () => {
    expect(listed).toMatch(/loopx@loopx\s+installed/);
    expect(run, run.stderr).toMatchObject({ exitCode: 0, isTimedOut: false, leftBehind: [] });
  });

  it('starts its server from the PATH, since no variable of the plugin is expanded there [R33]', () => {
    expect(run.results[1]?.json).toMatchObject({ ok: true, goal: { goal: 'csv-import' } });
  });

  it('brings its hooks and its skill', () => {
    expect(JSON.stringify(run.requests[0]?.body)).toContain('quota_should_run would say now');
    expect(JSON.stringify(run.requests[0]?.body)).toContain('loopx-governed-turn');
    expect(run.results[2]?.text).toContain('gate G1 protects deploy/x');
  });
});
