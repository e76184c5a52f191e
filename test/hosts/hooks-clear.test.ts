import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mainFile } from '../e2e/loopx-client.ts';
import { Project } from '../e2e/project.ts';
import { makeHome } from './host-run.ts';
import { type HostTerminal, openHost } from './host-terminal.ts';
import { installHost } from './install-hosts.ts';
import { untilConnectedInClaude } from './person.ts';
import { makeCommands, pluginDir } from './plugin.ts';
import { claudeLaunch } from './run-claude.ts';
import type { ScriptStep } from './script.ts';

describe('A person who clears the context of Claude Code', () => {
  let home = '';
  let project: Project;
  let open: HostTerminal | undefined;

  beforeAll(async () => {
    await installHost('claude');
    home = await makeHome();
    project = await Project.make();
    await mkdir(join(project.dir, '.claude'));
    const hooks = await readFile(join(pluginDir, 'hooks', 'hooks.json'), 'utf8');
    await writeFile(join(project.dir, '.claude', 'settings.json'), hooks);
    const desk = await project.client('desk');
    const todos = [{ title: 'Write the importer', scope: { paths: ['src/**'] } }];
    await desk.call('goal_start', { goal: 'csv-import', objective: 'Import CSV files', todos });
  }, 300_000);

  afterAll(async () => {
    await open?.close();
    await project?.remove();
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  });

  it('keeps what is held and its scope, and gets the packet again', { timeout: 300_000 }, async () => {
    const bin = await makeCommands(home);
    const script: ScriptStep[] = [
      { tool: 'quota_should_run', args: { claim: true } },
      { tool: 'writeback', args: { todo: 'T1', outcome: 'progress', summary: 'Begun' } },
      { say: 'Turn one ended.' },
      { raw: { name: 'Write', input: { file_path: join(project.dir, 'docs', 'x.md'), content: 'x' } } },
      { say: 'Turn two ended.' },
      { say: 'A summary.' },
    ];
    const options = {
      projectDir: project.dir,
      server: { command: process.execPath, args: [mainFile, 'serve'], env: { LOOPX_AGENT: 'ann' } },
      script,
      homeDir: home,
      env: { PATH: `${bin}${delimiter}${process.env.PATH}` },
      allowedTools: ['Write'],
    };
    open = await openHost(options, (homeDir, url) => claudeLaunch(options, homeDir, url));
    const { terminal, model } = open;
    const bodies = () => model.requests.map(({ body }) => JSON.stringify(body ?? ''));
    await untilConnectedInClaude(terminal);
    await terminal.enter('Begin.');
    await terminal.waitFor('Turn one ended.');
    await terminal.enter('/clear');
    await terminal.waitWhile('Turn one ended.');
    await terminal.settle();
    await terminal.enter('Go on.');
    await terminal.waitFor('Turn two ended.');
    expect(model.results.at(-1)?.text).toContain('docs/x.md is outside the scope of what you hold: T1 (src/**)');
    expect(existsSync(join(project.dir, 'docs'))).toBe(false);
    expect(bodies().at(-1)).toMatch(/This session holds T1 \(token \d+, as ann\)/);

    await terminal.enter('/compact');
    await terminal.waitFor('Compacted');
    expect(bodies().some((body) => body.includes('Keep in the summary: claim on T1'))).toBe(true);
  });
});
