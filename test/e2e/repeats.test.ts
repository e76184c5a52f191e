import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Body, LoopxClient } from './loopx-client.ts';
import { Project } from './project.ts';

const roundCount = 6;
const add = { goal: 'g', todos: [{ title: 'once' }], idempotencyKey: 'turn-17' };

describe('A call whose answer was lost', () => {
  let project: Project;
  let ann: LoopxClient;

  beforeEach(async () => {
    project = await Project.make();
    ann = await project.client('ann');
    await ann.call('goal_start', { goal: 'g', objective: 'Tidy up', todos: [{ title: 'first' }] });
  });

  afterEach(() => project.remove());

  const titles = async (client: LoopxClient) =>
    (await client.call('goal_status', { view: 'todos' })).todos.map(({ title }: Body) => title);

  it('has its effect once when it is sent again with its key, from this session and from a later one [R27]', async () => {
    const first = await ann.call('todo_add', add);
    const again = await ann.call('todo_add', add);
    expect(again).toMatchObject({ ok: true, replayed: true, todos: [{ todo: first.todos[0].todo }] });
    await ann.close();
    const later = await project.client('ann');
    expect(await later.call('todo_add', add)).toMatchObject({ ok: true, replayed: true, todos: first.todos });
    expect(await titles(later)).toEqual(['first', 'once']);
  });

  it('is refused when its key comes back with other arguments, and belongs to its agent alone [R27]', async () => {
    await ann.call('todo_add', add);
    const other = await ann.raw('todo_add', { ...add, todos: [{ title: 'something else' }] });
    expect(other).toMatchObject({ isError: true, body: { ok: false, code: 'key-reused' } });
    const bob = await project.client('bob');
    expect((await bob.call('todo_add', add)).replayed).toBeUndefined();
    expect(await titles(bob)).toEqual(['first', 'once', 'once']);
  });

  it('does not remember a refusal under its key [R27]', async () => {
    const claim = { todo: 'T1', idempotencyKey: 'claim-1' };
    const bob = await project.client('bob');
    await bob.call('todo_claim', { todo: 'T1' });
    expect(await ann.call('todo_claim', claim)).toMatchObject({ ok: false, code: 'claim-held' });
    await bob.call('todo_update', { todo: 'T1', state: 'open' });
    expect(await ann.call('todo_claim', claim)).toMatchObject({ ok: true, claim: { holder: 'ann' } });
  });

  it('is answered as lost when what it claimed has passed to another meanwhile [R27, R36]', async () => {
    const claim = { todo: 'T1', idempotencyKey: 'claim-1' };
    expect(await ann.call('todo_claim', claim)).toMatchObject({ ok: true });
    ann.kill();
    const bob = await project.client('bob');
    expect(await bob.call('todo_claim', { todo: 'T1' })).toMatchObject({ ok: true, claim: { holder: 'bob' } });
    const later = await project.client('ann');
    expect(await later.call('todo_claim', claim)).toMatchObject({
      ok: false,
      code: 'claim-lost',
      details: { holder: 'bob' },
    });
  });

  it('has its effect once when the server is killed between effect and answer, at any moment [R13, R14, R27]', async () => {
    let lost = 0;
    for (let round = 0; round < roundCount; round += 1) {
      const client = await project.client('cat');
      await client.call('goal_status');
      const call = { goal: 'g', todos: [{ title: `round ${round}` }], idempotencyKey: `round-${round}` };
      const before = logBytes(project.dir);
      let isAnswered = false;
      const answer = client
        .call('todo_add', call)
        .catch((error: Error) => error)
        .finally(() => {
          isAnswered = true;
        });
      // In half of the rounds the kill waits for the commit to be in the file, in the others it comes whenever it comes.
      while (round % 2 === 0 && !isAnswered && logBytes(project.dir) === before) await new Promise(setImmediate);
      client.kill();
      if ((await answer) instanceof Error) lost += 1;
      const later = await project.client('cat');
      expect(await later.call('todo_add', call)).toMatchObject({ ok: true, todos: [{ title: call.todos[0]?.title }] });
      await later.close();
    }
    expect(lost).toBeGreaterThan(0);
    const bob = await project.client('bob');
    expect(await titles(bob)).toEqual(['first', ...Array.from({ length: roundCount }, (_, round) => `round ${round}`)]);
  }, 120_000);
});

function logBytes(projectDir: string): number {
  const folder = join(projectDir, '.loopx', 'log');
  const segments = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  return segments.reduce((sum, name) => sum + readFileSync(join(folder, name)).length, 0);
}
