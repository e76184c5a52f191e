import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Body } from './loopx-client.ts';
import { Project } from './project.ts';

const bytesUsual = 8_000;

/** Thirty operations of a working day, none of which ends the turn about T2. */
const operations: [string, Body][] = [
  [
    'goal_start',
    {
      goal: 'import',
      objective: 'Import CSV files of up to 1 GB',
      acceptance: ['A 1 GB file imports', 'Quoted newlines survive'],
      todos: [
        { title: 'Write the parser', priority: 'P0', covers: ['A1'] },
        { title: 'Write the importer', priority: 'P1', scope: { paths: ['src/**'] } },
        { title: 'Publish', priority: 'P2', scope: { paths: ['release/**'] } },
      ],
    },
  ],
  ['agent_join', { agent: 'ann', capabilities: ['browser'] }],
  ['quota_should_run', { claim: true }],
  ['todo_update', { todo: 'T1', note: 'RFC 4180 it is' }],
  [
    'evidence_write',
    { todo: 'T1', kind: 'artifact', summary: 'The parser', result: 'pass', files: ['parser.js'], criteria: ['A1'] },
  ],
  ['writeback', { todo: 'T1', outcome: 'primary', summary: 'Parser done', todoState: 'done', spend: { slots: 1 } }],
  ['todo_add', { todos: [{ title: 'Watch the queue', kind: 'monitor', everyS: 3_600, priority: 'P3' }] }],
  [
    'gate_ask',
    {
      question: 'Publish 1.0?',
      kind: 'approval',
      blocks: { todos: ['T3'] },
      options: [
        { key: 'yes', label: 'Publish', effect: 'approve' },
        { key: 'no', label: 'Wait', effect: 'deny' },
      ],
    },
  ],
  ['reserve', { resources: ['port:8080'] }],
  ['todo_claim', { todo: 'T2' }],
  ...Array.from({ length: 16 }, (_, n): [string, Body] => [
    'todo_update',
    { todo: 'T2', note: `step ${n} ${'x'.repeat(600)}` },
  ]),
  [
    'evidence_write',
    {
      todo: 'T2',
      kind: 'test',
      summary: 'Half of the tests pass',
      result: 'fail',
      command: { line: 'npm test', exitCode: 1 },
    },
  ],
  ['writeback', { todo: 'T2', outcome: 'progress', summary: 'Half of it stands', nextAction: 'Stream the file' }],
  ['goal_status', {}],
  ['todo_update', { todo: 'T2', note: 'Streaming begun in src/stream.js' }],
];

describe('A fresh context', { timeout: 60_000 }, () => {
  let project: Project;

  beforeEach(async () => {
    project = await Project.make();
    await writeFile(join(project.dir, 'parser.js'), 'export const parse = () => [];\n');
    const ann = await project.client('ann');
    expect(operations).toHaveLength(30);
    for (const [tool, args] of operations) {
      const answer = await ann.call(tool, args);
      expect(answer.ok, `${tool}: ${answer.message}`).toBe(true);
    }
    ann.kill();
  });

  afterEach(() => project.remove());

  it('is told by one call of quota_should_run what it left unsettled and all it needs to go on, in 8 KB [R28, R40]', async () => {
    const later = await project.client('ann');
    const { body, text } = await later.raw('quota_should_run');
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(bytesUsual);
    expect(body).toMatchObject({
      you: 'ann',
      decision: 'settle',
      code: 'turn-unsettled',
      todo: { todo: 'T2', title: 'Write the importer', scope: { paths: ['src/**'] }, evidence: ['E2'] },
      gates: [{ gate: 'G1', question: 'Publish 1.0?' }],
      objective: { text: 'Import CSV files of up to 1 GB', version: 1 },
      budget: { slots: { spent: 1 } },
    });
    expect(body.todo.notes.at(-1)).toMatchObject({ by: 'ann', text: 'Streaming begun in src/stream.js' });
    expect(body.why).toContain('T2');
  });

  it('finds in one goal_status the goal, its criteria, what is open, held and next, in 8 KB [R40]', async () => {
    const peer = await project.client('bob');
    const { body, text } = await peer.raw('goal_status');
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(bytesUsual);
    expect(body).toMatchObject({
      goal: {
        goal: 'import',
        objective: 'Import CSV files of up to 1 GB',
        acceptance: [
          { id: 'A1', state: 'met' },
          { id: 'A2', state: 'open' },
        ],
      },
      counts: { todos: { done: 1, active: 1, open: 2 }, gates: { open: 1 }, evidence: 2 },
      gates: [{ gate: 'G1' }],
      claims: [{ todo: 'T2', holder: 'ann', standing: 'orphaned' }],
    });
    expect(body.attention.map(({ what }: Body) => what)).toEqual(expect.arrayContaining(['gate', 'claim']));
  });

  it('that has nothing to do is told to come back later each time, until something happens [R28]', async () => {
    const ann = await project.client('ann');
    const bob = await project.client('bob');
    const cat = await project.client('cat');
    // Ann takes her turn up again and bob the monitor, so that cat has nothing.
    expect(await ann.call('todo_update', { todo: 'T2', state: 'open' })).toMatchObject({ ok: true });
    expect(await ann.call('todo_claim', { todo: 'T2' })).toMatchObject({ ok: true });
    expect(await bob.call('todo_claim', { todo: 'T4' })).toMatchObject({ ok: true });

    const asked: Body[] = [];
    for (let call = 0; call < 5; call += 1) asked.push(await cat.call('quota_should_run'));
    const waits = asked.map(({ next }) => next.checkInS as number);
    expect(asked.map(({ decision }) => decision)).not.toContain('run');
    expect(waits).toEqual([60, 120, 300, 900, 1_800]);
    // The owner is told of the gate once, not at every call.
    expect(asked.map(({ notify }) => notify.owner).filter(Boolean).length).toBeLessThanOrEqual(1);

    await bob.call('todo_add', { todos: [{ title: 'Something for cat' }] });
    expect(await cat.call('quota_should_run')).toMatchObject({ decision: 'run', todo: { title: 'Something for cat' } });
  });
});
