import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Body, LoopxClient } from '../e2e/loopx-client.ts';
import { mainFile } from '../e2e/loopx-client.ts';
import { Project } from '../e2e/project.ts';
import type { HostRun } from './host-run.ts';
import { installHost } from './install-hosts.ts';
import { runClaude } from './run-claude.ts';
import { runCodex } from './run-codex.ts';
import type { ScriptStep } from './script.ts';

const server = { command: process.execPath, args: [mainFile, 'serve'] };
const importer = 'export const rows = (csv) => csv.trim().split("\\n");\n';
const runTimeoutMs = 900_000;

/** Claude Code begins the goal, works on its first todo, and asks the owner about it. */
const firstTurn: ScriptStep[] = [
  {
    tool: 'goal_start',
    args: {
      goal: 'csv-import',
      objective: 'Import CSV files and describe how',
      todos: [
        { title: 'Write the importer', priority: 'P0', scope: { paths: ['src/**'] } },
        { title: 'Describe the importer', priority: 'P1', after: ['T1'], scope: { paths: ['docs/**'] } },
      ],
    },
  },
  { tool: 'quota_should_run', args: { claim: true } },
  { raw: { name: 'Bash', input: { command: `mkdir -p src && printf '%s' '${importer}' > src/import.js` } } },
  {
    tool: 'evidence_write',
    args: { todo: 'T1', kind: 'artifact', summary: 'The importer', result: 'pass', files: ['src/import.js'] },
  },
  { tool: 'todo_claim', args: { todo: 'T2' } },
  {
    tool: 'gate_ask',
    args: {
      question: 'May the importer take files without a size limit?',
      kind: 'approval',
      options: [
        { key: 'yes', label: 'No limit', effect: 'approve' },
        { key: 'no', label: 'Keep one', effect: 'deny' },
      ],
      blocks: { todos: ['T1'] },
    },
  },
  { tool: 'writeback', args: { todo: 'T1', outcome: 'primary', summary: 'Importer written', todoState: 'done' } },
  { tool: 'quota_should_run', args: { claim: true } },
  { say: 'The owner has to answer first.' },
];

/** Codex takes up what the owner released. */
const secondTurn: ScriptStep[] = [
  { tool: 'quota_should_run', args: { claim: true } },
  ({ last }) => ({
    tool: 'evidence_write',
    args: {
      todo: last?.todo.todo,
      kind: 'artifact',
      summary: 'Still as the first agent left it',
      result: 'pass',
      files: ['src/import.js'],
    },
  }),
  ({ last }) => ({
    tool: 'writeback',
    args: { todo: last?.evidence.todo, outcome: 'primary', summary: 'The importer stands', todoState: 'done' },
  }),
  { say: 'Done.' },
];

describe.each(['claude', 'claude-npm'] as const)('One loop over two hosts, begun by %s', (build) => {
  let project: Project;
  let desk: LoopxClient;
  let claude: HostRun;
  let answered = '';
  let codex: HostRun;
  let status: Body;

  beforeAll(async () => {
    await installHost(build);
    await installHost('codex');
    project = await Project.make();
    claude = await runClaude({
      projectDir: project.dir,
      server: { ...server, env: { LOOPX_AGENT: 'ann' } },
      build,
      allowedTools: ['Bash'],
      script: firstTurn,
    });
    desk = await project.client(undefined, { onForm: { action: 'accept', answer: 'yes' } });
    answered = await desk.prompt('answer_gate', { gate: 'G1' });
    codex = await runCodex({
      projectDir: project.dir,
      server: { ...server, env: { LOOPX_AGENT: 'bob' } },
      script: secondTurn,
    });
    status = await desk.call('goal_status');
  }, runTimeoutMs);

  afterAll(() => project?.remove());

  it('plays both scripts to their ends and leaves no process behind', () => {
    expect(claude, claude.stderr).toMatchObject({ exitCode: 0, isTimedOut: false, played: firstTurn.length });
    expect(codex, codex.stderr).toMatchObject({ exitCode: 0, isTimedOut: false, played: secondTurn.length });
    expect([...claude.leftBehind, ...codex.leftBehind]).toEqual([]);
  });

  it('tells both models by its instructions when to use it [R20]', () => {
    const gist = 'Use it at the start of every turn (quota_should_run)';
    expect(claude.system).toContain(gist);
    expect(claude.system).toContain('Only the human owner opens a gate');
    expect(codex.system).toContain(gist);
  });

  it('offers all sixteen tools to both models [R19]', () => {
    expect(claude.tools.filter((name) => name.startsWith('mcp__loopx__'))).toHaveLength(16);
    expect(codex.tools.filter((name) => name.startsWith('mcp__loopx.'))).toHaveLength(16);
  });

  it('gives the first model its todo with a claim, and pins its evidence to the bytes it wrote [R35, R39]', async () => {
    const [started, asked, , written] = claude.results.map(({ json }) => json);
    expect(started).toMatchObject({ ok: true, you: 'ann', goal: { goal: 'csv-import', status: 'active' } });
    expect(asked).toMatchObject({
      decision: 'run',
      code: 'todo-ready',
      todo: { todo: 'T1' },
      claim: { holder: 'ann', token: expect.any(Number) },
    });
    expect(await readFile(`${project.dir}/src/import.js`, 'utf8')).toBe(importer);
    expect(written).toMatchObject({ ok: true, evidence: { evidence: 'E1', grade: 'pinned', fresh: true } });
  });

  it('refuses the model what does not stand yet, and does not mark that as an error [R26]', () => {
    const early = claude.results[4];
    expect(early?.json).toMatchObject({ ok: false, code: 'todo-blocked' });
    expect(early?.isError).toBe(false);
    const gated = claude.results[6];
    expect(gated?.json).toMatchObject({
      ok: false,
      code: 'gate-pending',
      details: { gate: 'G1', question: 'May the importer take files without a size limit?' },
    });
    expect(gated?.json?.message).toContain('G1');
    expect(gated?.isError).toBe(false);
  });

  it('tells the model who has to answer, and how, once nothing else is to be done [R28, R37]', () => {
    expect(claude.results[5]?.json).toMatchObject({ ok: true, gate: { gate: 'G1', state: 'open' } });
    expect(claude.results[7]?.json).toMatchObject({
      decision: 'ask_human',
      code: 'gate-todo',
      notify: { owner: true, text: expect.stringContaining('May the importer') },
      gates: [{ gate: 'G1', howToAnswer: expect.arrayContaining([expect.stringContaining('answer_gate G1')]) }],
    });
  });

  it('takes the answer of the owner from the form alone, with its grade [R37]', async () => {
    expect(desk.forms).toEqual([expect.stringContaining('May the importer take files without a size limit?')]);
    expect(answered).toContain('T1 Write the importer (claimed by ann, orphaned)');
    const { gate } = await desk.call('goal_status', { id: 'G1' });
    expect(gate).toMatchObject({ state: 'answered', answer: { option: 'yes', channel: 'prompt', grade: 'confirmed' } });
  });

  it('gives the released todo, with what was left, to the second host once the first has ended [R35, R36]', () => {
    const [asked, written, closed] = codex.results.map(({ json }) => json);
    expect(asked).toMatchObject({
      you: 'bob',
      decision: 'run',
      todo: { todo: 'T1', evidence: ['E1'] },
      claim: { holder: 'bob' },
    });
    expect(written).toMatchObject({ evidence: { evidence: 'E2', todo: 'T1', grade: 'pinned', fresh: true } });
    expect(closed).toMatchObject({ ok: true, todo: { todo: 'T1', state: 'done' } });
  });

  it('shows a third process the whole of it', async () => {
    expect(status).toMatchObject({
      goal: { goal: 'csv-import', status: 'active' },
      counts: { todos: { done: 1, open: 1 } },
      claims: [],
      top: [{ todo: 'T2' }],
    });
    const { agents } = await desk.call('goal_status', { view: 'agents' });
    expect(agents.map(({ agent, host }: Body) => [agent, host])).toEqual([
      ['ann', 'claude-code'],
      ['bob', 'codex-mcp-client'],
    ]);
  });
});
