import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Body, mainFile } from '../e2e/loopx-client.ts';
import { Project } from '../e2e/project.ts';
import { type HostRun, makeHome } from './host-run.ts';
import { installHost } from './install-hosts.ts';
import { makeCommands, repository } from './plugin.ts';
import { runCodex } from './run-codex.ts';
import type { ScriptStep } from './script.ts';

const patch = (file: string): ScriptStep => ({
  raw: { name: 'apply_patch', input: `*** Begin Patch\n*** Add File: ${file}\n+x\n*** End Patch\n` },
});
const shell = (cmd: string): ScriptStep => ({ raw: { name: 'exec_command', input: { cmd } } });

describe('The hooks in Codex', () => {
  let home = '';
  let project: Project;
  let run: HostRun;
  let after: Body;

  beforeAll(async () => {
    await installHost('codex');
    home = await makeHome();
    project = await Project.make();
    const bin = await makeCommands(home);
    await mkdir(join(project.dir, '.codex'));
    await copyFile(join(repository, 'hosts', 'codex', 'hooks.json'), join(project.dir, '.codex', 'hooks.json'));
    const desk = await project.client('desk');
    await desk.call('goal_start', {
      goal: 'csv-import',
      objective: 'Import CSV files',
      todos: [{ title: 'Write the importer', scope: { paths: ['src/**'] } }],
    });
    await desk.call('gate_ask', {
      question: 'May it be deployed?',
      kind: 'approval',
      protects: { paths: ['deploy/**'], commands: ['npm publish'] },
    });
    run = await runCodex({
      projectDir: project.dir,
      server: { command: process.execPath, args: [mainFile, 'serve'], env: { LOOPX_AGENT: 'bob' } },
      homeDir: home,
      // A model that Codex knows gets apply_patch as a tool of its own.
      model: 'gpt-5.5',
      sandbox: 'danger-full-access',
      env: { PATH: `${bin}${delimiter}${process.env.PATH}` },
      hostArgs: ['--dangerously-bypass-hook-trust'],
      script: [
        { tool: 'quota_should_run', args: { claim: true } },
        patch('src/import.js'),
        patch('docs/import.md'),
        patch('deploy/prod.yml'),
        shell('npm publish --dry-run'),
        shell('mkdir -p src && echo fine > src/other.js'),
        { say: 'That is it.' },
        { say: 'Still nothing to write back.' },
      ],
    });
    after = await desk.call('goal_status', { id: 'T1' });
  }, 300_000);

  afterAll(async () => {
    await project?.remove();
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  });

  const result = (at: number) => run.results[at]?.text ?? '';

  it('runs to its end', () => {
    expect(run, run.stderr).toMatchObject({ exitCode: 0, isTimedOut: false, played: 8, leftBehind: [] });
  });

  it('brings the resume packet to the model when the session starts [R40]', () => {
    expect(JSON.stringify(run.requests[0]?.body)).toContain('quota_should_run would say now');
  });

  it('lets a patch within the scope through, and a command that nothing protects', async () => {
    expect(await readFile(join(project.dir, 'src/import.js'), 'utf8')).toBe('x\n');
    expect(await readFile(join(project.dir, 'src/other.js'), 'utf8')).toBe('fine\n');
  });

  it('denies a patch outside the scope of what is held', () => {
    expect(result(2)).toContain('docs/import.md is outside the scope of what you hold: T1 (src/**)');
    expect(existsSync(join(project.dir, 'docs'))).toBe(false);
  });

  it('denies what an open gate protects, with the gate and how the owner answers [R37]', () => {
    for (const at of [3, 4]) {
      expect(result(at)).toContain('gate G1 protects');
      expect(result(at)).toContain('loopx gate answer G1');
    }
    expect(existsSync(join(project.dir, 'deploy'))).toBe(false);
  });

  it('asks for the missing writeback once, and no second time', () => {
    expect(JSON.stringify(run.requests.at(-1)?.body)).toContain('wrote nothing back about it');
    expect(run.requests.filter(({ isTurn }) => isTurn)).toHaveLength(8);
  });

  it('gives back what the session held when it ends, with a note', () => {
    expect(after.todo).toMatchObject({ state: 'open' });
    expect(JSON.stringify(after.todo.notes)).toContain('Given back at the end of its session in codex');
  });
});
