import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Body, LoopxClient } from './loopx-client.ts';
import { Project } from './project.ts';
import { SeedLog } from './seed-log.ts';

const todoCount = 5_000;
const gateCount = 200;
const commitCount = 20_000;
const noteCount = 15;
const bytesUsual = 8_000;
const bytesMost = 40_000;

/** Text that is hard to cut: outside the basic plane, of several code points, with the other sort of line end. */
const emoji = '👩‍👩‍👧‍👦 naïve 漢字 😀\r\n';
const filled = (chars: number) => emoji.repeat(Math.floor(chars / emoji.length));
const detail = `First line\r\nsecond line\r\n${filled(7_900)}`;
const noteOf = (n: number) => `${n} ${filled(7_900)}`;

let project: Project;
let ann: LoopxClient;

beforeAll(async () => {
  project = await Project.make();
  await bigLog().write(project.dir);
  ann = await project.client('ann');
}, 120_000);

afterAll(() => project?.remove());

/** 20,000 commits: 5,000 todos, 200 gates, over 100 KB of notes on one todo, and short notes on all. */
function bigLog(): SeedLog {
  const log = new SeedLog('seed', 3_600);
  const acceptance = Array.from({ length: 20 }, (_, n) => `${n} ${filled(1_000)}`);
  log.act({ type: 'goal.start', goal: 'big', title: filled(300), objective: filled(8_000), acceptance });
  for (let first = 1; first <= todoCount; first += 50) {
    const todos = Array.from({ length: 50 }, (_, n) => ({
      title: `${first + n} ${filled(280)}`,
      detail: first + n === 1 ? detail : filled(60),
      scope: { paths: [`src/${first + n}/**`] },
    }));
    log.act({ type: 'todo.add', todos });
  }
  for (let n = 1; n <= noteCount; n += 1) log.act({ type: 'todo.update', todo: 'T1', note: noteOf(n) });
  for (let n = 1; n <= gateCount; n += 1) {
    log.act({ type: 'gate.ask', question: `${n} ${filled(590)}`, blocks: { todos: [`T${n + 1}`] } });
  }
  for (let n = 0; log.version < commitCount; n += 1) {
    log.act({ type: 'todo.update', todo: `T${300 + (n % 4_000)}`, note: `note ${n} ${emoji}` });
  }
  return log;
}

/** Fails on half a character and on facts that only one of the two forms has. */
function expectWhole({ body, text }: { body: Body; text: string }): void {
  expect(text).not.toMatch(/\\ud[89a-f]/i);
  expect(JSON.parse(text)).toEqual(body);
}

describe('With 5,000 todos, 20,000 commits and 200 gates', { timeout: 120_000 }, () => {
  it.each([
    ['goal_status', 'goal_status', {}],
    ['goal_status view: todos', 'goal_status', { view: 'todos' }],
    ['goal_status view: gates', 'goal_status', { view: 'gates' }],
    ['goal_status view: evidence', 'goal_status', { view: 'evidence' }],
    ['goal_status view: agents', 'goal_status', { view: 'agents' }],
    ['goal_status view: history', 'goal_status', { view: 'history' }],
    ['goal_status view: quota', 'goal_status', { view: 'quota' }],
    ['goal_status view: reservations', 'goal_status', { view: 'reservations' }],
    ['quota_should_run', 'quota_should_run', {}],
    ['quota_should_run claim: true', 'quota_should_run', { claim: true }],
    ['review_packet', 'review_packet', {}],
    ['review_packet gate: G7', 'review_packet', { gate: 'G7' }],
    ['review_packet todo: T1', 'review_packet', { todo: 'T1' }],
    ['todo_claim of a todo that is free', 'todo_claim', { todo: 'T4000' }],
    ['todo_claim of a todo that is held by a gate', 'todo_claim', { todo: 'T2' }],
    ['todo_update', 'todo_update', { todo: 'T4001', note: noteOf(1) }],
    [
      'todo_add',
      'todo_add',
      { todos: Array.from({ length: 50 }, () => ({ title: filled(300), detail: filled(1_000) })) },
    ],
    ['gate_ask', 'gate_ask', { question: filled(600), context: filled(8_000), blocks: { todos: ['T4002'] } }],
    ['evidence_write', 'evidence_write', { todo: 'T4000', kind: 'test', result: 'pass', summary: filled(8_000) }],
    [
      'writeback',
      'writeback',
      { todo: 'T4000', outcome: 'progress', summary: filled(8_000), nextAction: filled(8_000) },
    ],
    ['handoff', 'handoff', { todo: 'T4000', to: { any: true }, summary: filled(8_000), pending: [filled(8_000)] }],
    ['agent_join', 'agent_join', { agent: 'ann', note: filled(8_000) }],
    ['reserve', 'reserve', { resources: ['port:8080'] }],
    ['goal_start', 'goal_start', { goal: 'big', objective: 'another' }],
  ])('answers %s in at most 8 KB, in whole characters, twice the same [R15, R17]', async (_, tool, args) => {
    const answer = await ann.raw(tool, args);
    expectWhole(answer);
    expect(answer.body.version).toBeGreaterThanOrEqual(commitCount);
    expect(Buffer.byteLength(answer.text)).toBeLessThanOrEqual(bytesUsual);
  });

  it.each([
    [{ view: 'todos', limit: 500 }],
    [{ view: 'gates', limit: 500 }],
    [{ view: 'history', limit: 500 }],
    [{ id: 'T1', limit: 100 }],
    [{ id: 'G7' }],
  ])('goal_status %j is answered in at most 40 KB, however much is asked for [R15]', async (args) => {
    const answer = await ann.raw('goal_status', args);
    expectWhole(answer);
    expect(answer.body).toMatchObject({ ok: true });
    expect(Buffer.byteLength(answer.text)).toBeLessThanOrEqual(bytesMost);
  });

  it('pages through todos, each once, while another process adds some', async () => {
    const bob = await project.client('bob');
    const added: string[] = [];
    let turns = 0;
    const seen = await pages('todos', { limit: 500 }, async () => {
      turns += 1;
      if (turns % 5 !== 1) return;
      const { todos } = await bob.call('todo_add', { todos: [{ title: 'added meanwhile' }] });
      added.push(todos[0].todo);
    });
    expect(added.length).toBeGreaterThan(3);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.slice(0, todoCount)).toEqual(Array.from({ length: todoCount }, (_, n) => `T${n + 1}`));
    expect(seen).toEqual(expect.arrayContaining(added));
  });

  it('pages through gates, each once', async () => {
    const seen = await pages('gates', {});
    expect(seen.slice(0, gateCount)).toEqual(Array.from({ length: gateCount }, (_, n) => `G${n + 1}`));
    expect(new Set(seen).size).toBe(seen.length);
  });

  it('pages through the history without a version twice', async () => {
    const seen: number[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < 3; page += 1) {
      const answer = await ann.call('goal_status', { view: 'history', ...(cursor && { cursor }) });
      seen.push(...answer.history.map(({ version }: Body) => version));
      expect(answer).toMatchObject({ shown: answer.history.length, total: expect.any(Number) });
      expect(answer.total).toBeGreaterThanOrEqual(commitCount);
      cursor = answer.nextCursor;
      expect(cursor).toBeDefined();
    }
    expect(new Set(seen).size).toBe(seen.length);
  });

  it('gives a todo whole by its id: the detail to the byte, and every note once', async () => {
    const notes: string[] = [];
    let cursor: string | undefined;
    do {
      const answer = await ann.raw('goal_status', { id: 'T1', ...(cursor && { cursor }) });
      expect(Buffer.byteLength(answer.text)).toBeLessThanOrEqual(bytesMost);
      if (!cursor) expect(answer.body.todo.detail).toBe(detail);
      notes.push(...answer.body.todo.notes.map(({ text }: Body) => text));
      cursor = answer.body.nextCursor;
    } while (cursor);
    expect(notes).toEqual(Array.from({ length: noteCount }, (_, n) => noteOf(n + 1)));
  });

  it('refuses a note of 100 KB by its name and keeps everything as it was [R15, R26]', async () => {
    const before = await ann.call('goal_status', { id: 'T3000' });
    const refused = await ann.raw('todo_update', { todo: 'T3000', note: filled(100_000) });
    expect(refused).toMatchObject({ isError: true, body: { code: 'too-large', details: { field: 'note' } } });
    expect(Buffer.byteLength(refused.text)).toBeLessThanOrEqual(bytesUsual);
    expect((await ann.call('goal_status', { id: 'T3000' })).version).toBe(before.version);
  });

  /** All ids of a view, page after page. */
  async function pages(view: 'todos' | 'gates', args: Body, between = async () => {}): Promise<string[]> {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const answer = await ann.raw('goal_status', { view, ...args, ...(cursor && { cursor }) });
      expect(Buffer.byteLength(answer.text)).toBeLessThanOrEqual(bytesMost);
      const items = answer.body[view] as Body[];
      expect(answer.body.shown).toBe(items.length);
      seen.push(...items.map((item) => item[view.slice(0, -1)] as string));
      cursor = answer.body.nextCursor;
      if (cursor) await between();
    } while (cursor);
    return seen;
  }
});
