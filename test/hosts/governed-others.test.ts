import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mainFile } from '../e2e/loopx-client.ts';
import { Project } from '../e2e/project.ts';
import type { HostRun, HostRunOptions } from './host-run.ts';
import type { HostName } from './host-versions.ts';
import { installHost } from './install-hosts.ts';
import { runGemini } from './run-gemini.ts';
import { runOpencode } from './run-opencode.ts';
import type { ScriptStep } from './script.ts';

type Host = {
  title: string;
  name: HostName;
  run: (options: HostRunOptions) => Promise<HostRun>;
  prefix: string;
  /** What the host says of itself when it connects. */
  client: string;
};

const hosts: Host[] = [
  { title: 'OpenCode', name: 'opencode', run: runOpencode, prefix: 'loopx_', client: 'opencode' },
  { title: 'Gemini CLI', name: 'gemini', run: runGemini, prefix: 'mcp_loopx_', client: 'gemini-cli-mcp-client' },
];

const runTimeoutMs = 900_000;

const script: ScriptStep[] = [
  {
    tool: 'goal_start',
    args: { goal: 'notes', objective: 'Keep notes', todos: [{ title: 'Write the first note' }] },
  },
  { tool: 'quota_should_run', args: { claim: true } },
  {
    tool: 'writeback',
    args: { todo: 'T1', outcome: 'primary', summary: 'Too early', todoState: 'done' },
  },
  {
    tool: 'evidence_write',
    args: { todo: 'T1', kind: 'artifact', summary: 'The note', result: 'pass', files: ['note.md'] },
  },
  {
    tool: 'writeback',
    args: { todo: 'T1', outcome: 'primary', summary: 'First note written', todoState: 'done', spend: { slots: 1 } },
  },
  { say: 'The note is written.' },
];

describe.each(hosts)('$title', ({ name, run, prefix, client }) => {
  let project: Project;
  let seen: HostRun;

  beforeAll(async () => {
    await installHost(name);
    project = await Project.make();
    await writeFile(join(project.dir, 'note.md'), 'A first note.\n');
    const server = { command: process.execPath, args: [mainFile, 'serve'], env: { LOOPX_AGENT: 'ann' } };
    seen = await run({ projectDir: project.dir, server, script });
  }, runTimeoutMs);

  afterAll(() => project?.remove());

  it('plays the whole script with all sixteen tools and the instructions before it [R19, R20]', () => {
    expect(seen, seen.stderr).toMatchObject({ exitCode: 0, isTimedOut: false, played: script.length, leftBehind: [] });
    expect(seen.tools.filter((tool) => tool.startsWith(prefix))).toHaveLength(16);
    expect(seen.system).toContain('Use it at the start of every turn (quota_should_run)');
  });

  it('sends the model the whole of each answer, though it shows only the text of a result [R17]', () => {
    const [started, asked, , written, closed] = seen.results.map(({ json }) => json);
    expect(started).toMatchObject({ ok: true, you: 'ann', goal: { goal: 'notes' }, todos: [{ todo: 'T1' }] });
    expect(asked).toMatchObject({ decision: 'run', todo: { todo: 'T1' }, claim: { holder: 'ann' } });
    expect(written).toMatchObject({ evidence: { evidence: 'E1', grade: 'pinned', fresh: true } });
    expect(closed).toMatchObject({ ok: true, todo: { todo: 'T1', state: 'done' }, spent: { slots: 1 } });
  });

  it('lets the model read a refusal with what is missing and which call helps [R26]', () => {
    const refused = seen.results[2];
    expect(refused?.json).toMatchObject({
      ok: false,
      code: 'evidence-missing',
      details: { missing: [{ lacks: expect.any(String) }] },
    });
    expect(refused?.json?.message).toEqual(expect.any(String));
    expect(refused?.json?.next[0]).toMatchObject({ tool: expect.any(String), why: expect.any(String) });
  });

  it('has left in the log what every other process reads', async () => {
    const reader = await project.client();
    expect(await reader.call('goal_status')).toMatchObject({ counts: { todos: { done: 1 } }, claims: [] });
    const { agents } = await reader.call('goal_status', { view: 'agents' });
    expect(agents).toMatchObject([{ agent: 'ann', host: client }]);
  });
});
