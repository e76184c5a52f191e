import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resourceAt, resources } from '../../src/resources/registry.ts';
import { Place } from '../cli/loopx.ts';
import { eventually, TestHost } from '../server/test-host.ts';

const place = new Place();
let agent: TestHost;

beforeAll(async () => {
  agent = await TestHost.start(place);
  await agent.call('goal_start', {
    goal: 'speed',
    objective: 'Be fast',
    acceptance: ['fast'],
    todos: [{ title: 'a' }, { title: 'b' }],
  });
  await agent.call('gate_ask', { question: 'How fast?' });
  await agent.call('evidence_write', { kind: 'metric', summary: '5 ms', result: 'pass', todo: 'T1' });
});

afterAll(async () => {
  await agent.stop();
  place.remove();
});

async function read(host: TestHost, uri: string) {
  const { result, error } = await host.request('resources/read', { uri });
  return error ? { error } : { text: result.contents[0].text, mimeType: result.contents[0].mimeType };
}

describe('resources', () => {
  it.each([
    ['loopx://goals', { goals: [{ goal: 'speed' }] }],
    ['loopx://goals/speed', { goal: { goal: 'speed', objective: 'Be fast' } }],
    ['loopx://goals/SPEED', { goal: { goal: 'speed' } }],
    ['loopx://goals/speed/todos', { todos: [{ todo: 'T1' }, { todo: 'T2' }], total: 2 }],
    ['loopx://goals/speed/gates', { gates: [{ gate: 'G1' }] }],
    ['loopx://goals/speed/evidence', { evidence: [{ evidence: 'E1' }] }],
    ['loopx://goals/speed/quota', { budget: {} }],
    ['loopx://goals/speed/history', { goal: 'speed' }],
    ['loopx://todos/T2', { todo: { todo: 'T2', title: 'b' } }],
    ['loopx://todos/t2', { todo: { todo: 'T2' } }],
    ['loopx://gates/G1', { gate: { gate: 'G1', question: 'How fast?' } }],
    ['loopx://evidence/E1', { evidence: { evidence: 'E1' } }],
    ['loopx://agents', { agents: [{}] }],
    ['loopx://log?after=1', { commits: [{ version: 2 }, { version: 3 }] }],
  ])('%s is JSON with a version', async (uri, part) => {
    const { text, mimeType } = await read(agent, uri);
    expect(mimeType).toBe('application/json');
    const body = JSON.parse(text);
    expect(body).toMatchObject({ ok: true, ...part });
    expect(body.version).toBeGreaterThanOrEqual(3);
    expect(body.you).toBeUndefined();
  });

  it('show a goal as a Markdown board', async () => {
    const { text, mimeType } = await read(agent, 'loopx://goals/speed/board');
    expect(mimeType).toBe('text/markdown');
    expect(text).toMatch(/^# .*speed[\s\S]*\*\*T1\*\*[\s\S]*Version \d+/);
  });

  it.each([
    'loopx://goals/none',
    'loopx://todos/T99',
    'loopx://gates/G99',
    'loopx://nothing',
    'file:///etc/passwd',
    'x',
  ])('answer %s with the error for what is not there', async (uri) => {
    const { error } = await read(agent, uri);
    expect([-32002, -32602]).toContain(error.code);
  });

  it('can all be had by goal_status or audit too [R23]', async () => {
    const views = ['summary', 'todos', 'gates', 'evidence', 'quota', 'history', 'agents'];
    for (const view of views) expect((await agent.call('goal_status', { view })).ok, view).toBe(true);
    for (const id of ['T2', 'G1', 'E1']) expect((await agent.call('goal_status', { id })).ok, id).toBe(true);
  });

  it('are listed, with templates whose ids complete', async () => {
    const list = (await agent.request('resources/list')).result.resources.map(({ uri }: { uri: string }) => uri);
    expect(list).toEqual(['loopx://goals', 'loopx://agents']);
    const { resourceTemplates } = (await agent.request('resources/templates/list')).result;
    expect(resourceTemplates).toHaveLength(resources.length - 2);
    const complete = async (uri: string, name: string, value: string) =>
      (await agent.request('completion/complete', { ref: { type: 'ref/resource', uri }, argument: { name, value } }))
        .result.completion.values;
    expect(await complete('loopx://todos/{todo}', 'todo', 't')).toEqual(['T1', 'T2']);
    expect(await complete('loopx://goals/{goal}/board', 'goal', 'SP')).toEqual(['speed']);
    expect(await complete('loopx://evidence/{evidence}', 'evidence', 'x')).toEqual([]);
  });

  it('do not take the notices of the agent away', async () => {
    const owner = await TestHost.start(place, { form: { action: 'accept', content: { answer: 'yes' } } });
    await owner.prompt('answer_gate', { gate: 'G1' });
    await owner.stop();
    await read(agent, 'loopx://goals/speed');
    await agent.prompt('status');
    expect((await agent.call('goal_status')).notices).toMatchObject([{ code: 'gate-answered', gate: 'G1' }]);
  });

  it('are found by every spelling of their URI and by no other', () => {
    expect(resourceAt('loopx://goals/a%20b/')?.variables).toEqual({ goal: 'a b' });
    expect(resourceAt('loopx://log')?.variables).toEqual({});
    expect(resourceAt('loopx://goals/%')).toBeUndefined();
    expect(resourceAt('loopx://goals/a/b/c')).toBeUndefined();
    expect(resourceAt('loopx://goals?x=1')).toBeUndefined();
    expect(resourceAt(`loopx://goals/${'a'.repeat(3_000)}`)).toBeUndefined();
  });
});

describe.each(['legacy', 'modern'] as const)('a subscriber in the %s era', (era) => {
  it('hears of what another process changes, and of nothing else', async () => {
    const host = await TestHost.start(place, { era });
    const uris = ['loopx://goals/speed/todos', 'loopx://evidence/E1', 'loopx://log?after=3'];
    if (era === 'legacy') for (const uri of uris) await host.request('resources/subscribe', { uri });
    else {
      void host.request('subscriptions/listen', { notifications: { resourceSubscriptions: uris } });
      await eventually(() =>
        host.notifications.find(({ method }) => method === 'notifications/subscriptions/acknowledged'),
      );
      // The acknowledgement is the SDK's; a call later the store is being watched.
      await host.call('goal_status');
    }
    await agent.call('todo_add', { todos: [{ title: `for ${era}` }] });
    const heard = () =>
      host.notifications
        .filter(({ method }) => method === 'notifications/resources/updated')
        .map(({ params }) => params.uri);
    await eventually(() => (heard().length >= 2 ? true : undefined));
    expect(new Set(heard())).toEqual(new Set(['loopx://goals/speed/todos', 'loopx://log?after=3']));
    await host.stop();
    expect(host.noise).toEqual([]);
  });
});

describe('a subscription', () => {
  it('ends when it is given back, and is refused for what is not there', async () => {
    const host = await TestHost.start(place);
    await host.request('resources/subscribe', { uri: 'loopx://goals' });
    await host.request('resources/subscribe', { uri: 'loopx://agents' });
    await host.request('resources/unsubscribe', { uri: 'loopx://goals' });
    expect((await host.request('resources/subscribe', { uri: 'loopx://nothing' })).error).toBeDefined();
    await host.request('resources/subscribe', { uri: 'loopx://log' });
    await agent.call('todo_add', { todos: [{ title: 'again' }] });
    await eventually(() => host.notifications.find(({ params }) => params?.uri === 'loopx://log'));
    expect(host.notifications.map(({ params }) => params.uri)).not.toContain('loopx://goals');
    await host.stop();
  });
});
