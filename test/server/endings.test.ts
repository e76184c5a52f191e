import { afterAll, describe, expect, it } from 'vitest';
import { Place } from '../cli/loopx.ts';
import { sleep, TestHost } from './test-host.ts';

const place = new Place();
afterAll(() => place.remove());

/** The end of a server, or 'late' when it is still there a second later. */
async function endOf(host: TestHost): Promise<unknown> {
  const late = sleep(1_000).then(() => 'late');
  const end = await Promise.race([host.ended, late]);
  if (end === 'late') host.child.kill('SIGKILL');
  return end;
}

describe('a server ends within a second', () => {
  it('of stdin closing at once, before anything was said [R2]', async () => {
    const host = new TestHost(place);
    await sleep(50);
    // Node itself may still be starting then; the second counts from when it could have seen the end.
    await sleep(300);
    host.child.stdin?.end();
    expect(await endOf(host)).toEqual({ code: 0, signal: null });
  });

  it('of stdin closing right after initialize, and answers it all the same [R2]', async () => {
    const host = new TestHost(place);
    const answer = host.initialize();
    host.child.stdin?.end();
    expect((await answer).result.serverInfo.name).toBe('loopx');
    expect(await endOf(host)).toEqual({ code: 0, signal: null });
  });

  it('of stdin closing while it is idle [R2]', async () => {
    const host = await TestHost.start(place);
    await host.call('goal_start', { goal: 'idle', objective: 'Idle', todos: [{ title: 'a' }] });
    await host.call('todo_claim', { goal: 'idle' });
    host.child.stdin?.end();
    expect(await endOf(host)).toEqual({ code: 0, signal: null });
  });

  it('of stdin closing while a call waits for news or a form for a person [R2]', async () => {
    const host = await TestHost.start(place, { form: { action: 'cancel' }, formAfterMs: 60_000 });
    await host.call('goal_start', { goal: 'waits', objective: 'Wait' });
    void host.request('tools/call', { name: 'quota_should_run', arguments: { goal: 'waits', waitS: 50 } });
    void host.request('tools/call', { name: 'gate_ask', arguments: { goal: 'waits', question: 'Now?', askNow: true } });
    await sleep(300);
    host.child.stdin?.end();
    expect(await endOf(host)).toEqual({ code: 0, signal: null });
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'of %s, also when they come one after the other [R2]',
    async (signal) => {
      const host = await TestHost.start(place);
      await host.call('goal_status', {});
      host.child.kill(signal);
      host.child.kill('SIGTERM');
      expect(await endOf(host)).toEqual({ code: 0, signal: null });
    },
  );

  it('of its stdout being closed by the host [R2]', async () => {
    const host = await TestHost.start(place);
    host.child.stdout?.destroy();
    await sleep(50);
    host.send({ jsonrpc: '2.0', id: 99, method: 'tools/list' });
    expect(await endOf(host)).toMatchObject({ signal: null });
  });

  it('during writes, and every write it acknowledged is kept [R2] [R13]', async () => {
    for (const how of ['eof', 'SIGTERM', 'eof', 'SIGINT'] as const) {
      const goal = `during-${how.toLowerCase()}`;
      const host = await TestHost.start(place);
      await host.call('goal_start', { goal, objective: `Keep ${goal}` });
      const kept: string[] = [];
      for (let n = 0; n < 40; n++) {
        void host
          .call('todo_add', { goal, todos: [{ title: `todo ${n}` }] })
          // What had not begun when the host went is refused, and not written.
          .then(({ ok, todos }) => ok && kept.push(todos[0].todo));
      }
      await sleep(15);
      if (how === 'eof') host.child.stdin?.end();
      else host.child.kill(how);
      expect(await endOf(host)).toEqual({ code: 0, signal: null });
      const reader = await TestHost.start(place);
      for (const todo of kept) expect((await reader.call('goal_status', { id: todo })).todo.todo).toBe(todo);
      await reader.stop();
      expect(host.noise).toEqual([]);
    }
  });
});

describe('a start', () => {
  it('answers initialize with a broken store, and calls say what is wrong [R6]', async () => {
    const broken = new Place();
    const first = await TestHost.start(broken);
    await first.call('goal_start', { objective: 'Break' });
    await first.call('todo_add', { todos: [{ title: 'a' }] });
    await first.stop();
    const { readdirSync, readFileSync, writeFileSync } = await import('node:fs');
    const folder = `${broken.project}/.loopx/log`;
    const file = `${folder}/${readdirSync(folder)[0]}`;
    const lines = readFileSync(file, 'utf8').split('\n');
    writeFileSync(file, [`${lines[0]?.replace('Break', 'Bread')}`, ...lines.slice(1)].join('\n'));
    const host = new TestHost(broken);
    expect((await host.initialize()).result.serverInfo.name).toBe('loopx');
    expect((await host.request('tools/list')).result.tools).toHaveLength(16);
    const answer = await host.call('todo_add', { todos: [{ title: 'b' }] });
    expect(answer).toMatchObject({ ok: false, code: 'store-damaged', isError: true });
    await host.stop();
    expect(host.noise).toEqual([]);
    broken.remove();
  });

  it('outside of any workspace answers, and calls list what was tried [R6] [R9]', async () => {
    const host = new TestHost(place, { cwd: place.home });
    expect((await host.initialize()).result.serverInfo.name).toBe('loopx');
    const answer = await host.call('goal_start', { objective: 'x' });
    expect(answer).toMatchObject({ ok: false, code: 'no-workspace', isError: true, version: 0 });
    expect(answer.details.tried).toMatchObject([{ source: 'cwd', value: place.home }]);
    expect(await host.prompt('status')).toMatch(/No workspace/);
    expect(await host.prompt('loop')).toMatch(/quota_should_run/);
    await host.stop();
  });

  it('in a folder that is none takes the root that the host names [R9]', async () => {
    const host = await TestHost.start(place, {
      cwd: '/',
      capabilities: { roots: {} },
      roots: [`file://${place.project}`],
    });
    expect((await host.call('goal_start', { goal: 'rooted', objective: 'Rooted' })).ok).toBe(true);
    expect((await host.call('goal_status', { goal: 'rooted' })).workspace).toBe(place.project);
    await host.stop();
  });
});
