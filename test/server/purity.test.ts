import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tools } from '../../src/tools/registry.ts';
import { Place } from '../cli/loopx.ts';
import { TestHost } from './test-host.ts';

describe('a server under absurd input', () => {
  const place = new Place();
  let host: TestHost;

  beforeAll(async () => {
    host = await TestHost.start(place);
  });

  afterAll(async () => {
    await host.stop();
    place.remove();
  });

  it('answers every tool with valid, empty and absurd arguments, and writes nothing but JSON-RPC [R1] [R5]', async () => {
    await host.call('goal_start', { objective: 'Stay pure', todos: [{ title: 'a' }] });
    const absurd = ['x'.repeat(10_000), -1, 1e308, true, [], {}, [[[[]]]], '\u0000', '💥', '[', '{"a":', 'T99999'];
    let answered = 0;
    for (const tool of tools) {
      const names = Object.keys(tool.input.shape);
      for (const value of ['', ...absurd]) {
        const args = value === '' ? {} : Object.fromEntries(names.map((name) => [name, value]));
        const answer = await host.call(tool.name, args);
        expect(typeof answer.ok, `${tool.name} ${JSON.stringify(value).slice(0, 50)}`).toBe('boolean');
        answered++;
      }
    }
    expect(answered).toBe(16 * 13);
    expect(host.noise).toEqual([]);
  });

  it('outlives lines that are no messages, unknown methods and tools, and wrong parameters [R1] [R5]', async () => {
    host.write(
      'not json\n\n{}\n[]\nnull\n{"jsonrpc":"1.0","id":1,"method":"x"}\n{"jsonrpc":"2.0","method":42}\n\xff\xfe\n',
    );
    host.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'never-sent' } });
    host.send({ jsonrpc: '2.0', id: 'nobody-asked', result: {} });
    expect((await host.request('no/such/method')).error.code).toBe(-32601);
    expect((await host.request('tools/call', { name: 'no_such_tool', arguments: {} })).error.code).toBe(-32602);
    expect((await host.request('tools/call', { name: 'audit', arguments: [1] })).error.code).toBe(-32602);
    expect((await host.request('prompts/get', { name: 'no_such_prompt' })).error.code).toBe(-32602);
    expect((await host.call('goal_status')).ok).toBe(true);
    expect(host.noise).toEqual([]);
  });

  it('takes a line of 5 MB as a call like any other, and drops one of 20 MB without ending [R1] [R5]', async () => {
    const huge = await host.call('todo_add', { todos: [{ title: 'x'.repeat(5_000_000) }] });
    expect(huge).toMatchObject({ ok: false, code: 'too-large', details: { field: 'todos[0].title' } });
    host.write(`{"jsonrpc":"2.0","id":9,"method":"${'x'.repeat(20_000_000)}"}\n`);
    expect((await host.call('goal_status')).ok).toBe(true);
    expect(host.noise).toEqual([]);
    expect(host.stderr).toContain('dropped a line of');
  });

  it('speaks a version it knows to a host that asks for one from 1999 [R1] [R5]', async () => {
    const old = new TestHost(place);
    const { result } = await old.initialize('1999-01-01');
    expect(result.protocolVersion).toBe('2025-11-25');
    expect(result.serverInfo).toMatchObject({ name: 'loopx' });
    expect((await old.call('goal_status')).ok).toBe(true);
    await old.stop();
    expect(old.noise).toEqual([]);
  });

  it('refuses a version of the future by naming those it knows, and goes on [R5]', async () => {
    const host2 = new TestHost(place);
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2999-01-01',
      'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const { error } = await host2.request('server/discover', { _meta: meta });
    expect(error.code).toBe(-32022);
    await host2.initialize();
    expect((await host2.call('goal_status')).ok).toBe(true);
    await host2.stop();
    expect(host2.noise).toEqual([]);
  });

  it('lists the same whole set of tools before and after there is a goal [R21]', async () => {
    const empty = new Place();
    const fresh = await TestHost.start(empty);
    const before = (await fresh.request('tools/list')).result;
    expect(before.tools).toHaveLength(16);
    expect(Buffer.byteLength(JSON.stringify(before))).toBeLessThanOrEqual(16_000);
    await fresh.call('goal_start', { objective: 'x' });
    expect((await fresh.request('tools/list')).result).toEqual(before);
    expect((await host.request('tools/list')).result).toEqual(before);
    await fresh.stop();
    expect(fresh.notifications).toEqual([]);
    empty.remove();
  });

  it('lets six calls sent at once with a bad one among them take effect once each [R24]', async () => {
    const other = new Place();
    const six = await TestHost.start(other);
    await six.call('goal_start', { objective: 'Six at once' });
    const titles = ['a', 'b', 5, 'c', 'd', 'e'];
    const answers = await Promise.all(titles.map((title) => six.call('todo_add', { todos: [{ title }] })));
    expect(answers.map(({ ok }) => ok)).toEqual([true, true, false, true, true, true]);
    expect((await six.call('goal_status', { view: 'todos' })).total).toBe(5);
    await six.stop();
    other.remove();
  });
});
