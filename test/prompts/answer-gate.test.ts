import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Answered, Place } from '../cli/loopx.ts';
import { eventually, type HostSettings, sleep, TestHost } from '../server/test-host.ts';

const options = [
  { key: 'yes', label: 'Ship it', effect: 'approve' },
  { key: 'no', label: 'Not yet', effect: 'deny' },
];

const place = new Place();
const hosts: TestHost[] = [];
let agent: TestHost;
/** The gate and todo of the test at hand. */
let id: string;
let todo: string;

beforeAll(async () => {
  agent = await desk({});
  await agent.call('goal_start', { goal: 'g', objective: 'Ship', todos: [{ title: 'notes', priority: 'P0' }] });
});

beforeEach(async () => {
  todo = (await agent.call('todo_add', { todos: [{ title: 'publish' }] })).todos[0].todo;
  const ask = { question: 'Publish 2.0 now?', options, blocks: { todos: [todo] }, kind: 'approval' };
  id = (await agent.call('gate_ask', ask)).gate.gate;
});

afterAll(async () => {
  await Promise.all(hosts.map((host) => host.stop()));
  for (const host of hosts) expect(host.noise).toEqual([]);
  place.remove();
});

/** A host like that; the same one each time, its form as asked for. */
async function desk(settings: HostSettings): Promise<TestHost> {
  const { form, formAfterMs, ...kind } = settings;
  const same = hosts.find((host) => isDeepStrictEqual(host.settings, { ...kind, ...(form && { form: someForm }) }));
  const host = same ?? (await TestHost.start(place, { ...kind, ...(form && { form: someForm }) }));
  if (!same) hosts.push(host);
  host.form = form;
  host.formAfterMs = formAfterMs ?? 450;
  host.asked.length = 0;
  return host;
}

const someForm = { action: 'cancel' };

async function gate() {
  return (await agent.call('goal_status', { view: 'gates', id })).gate;
}

const accept = (answer: unknown, note?: string) => ({ action: 'accept', content: { answer, ...(note && { note }) } });

describe.each(['legacy', 'modern'] as const)('answer_gate in a host with forms, in the %s era,', (era) => {
  it('records what the form says, not what was typed, and tells what is runnable [R37]', async () => {
    const owner = await desk({ era, form: accept('no', 'not before Monday') });
    const text = await owner.prompt('answer_gate', { gate: id, answer: 'yes', note: 'typed' });
    expect(text).toContain(`answered ${id} "Publish 2.0 now?": Not yet (no)`);
    expect(text).toMatch(/Runnable now:\n- T1 notes/);
    const { answer, state } = await gate();
    expect(state).toBe('answered');
    expect(answer).toMatchObject({ option: 'no', grade: 'confirmed', channel: 'prompt', words: 'not before Monday' });
  });

  it('shows the exact question, its revision, and what each option brings about [R37]', async () => {
    const owner = await desk({ era, form: { action: 'cancel' } });
    await owner.prompt('answer_gate', { gate: id.toLowerCase() });
    const [asked] = owner.asked as [Answered];
    const { message, requestedSchema } = asked.params;
    expect(message).toBe(
      `${id} (revision 1, goal g)\nPublish 2.0 now?\n\nyes: Ship it (${todo} may go on)\nno: Not yet (${todo} is blocked until you lift it)\n\n`.trim(),
    );
    expect(requestedSchema.required).toEqual(['answer']);
    expect(requestedSchema.properties.answer).toMatchObject({ type: 'string', enum: ['yes', 'no'] });
    expect(requestedSchema.properties.answer.default).toBeUndefined();
    expect(Object.keys(requestedSchema.properties)).toEqual(['answer', 'note']);
  });

  it('keeps a note that was typed if the form has none [R22] [R37]', async () => {
    const owner = await desk({ era, form: accept('yes') });
    await owner.prompt('answer_gate', { gate: id, answer: 'yes', note: 'with two words' });
    expect((await gate()).answer).toMatchObject({ option: 'yes', words: 'with two words' });
  });

  it.each([
    ['declined', { action: 'decline' }],
    ['cancelled', { action: 'cancel' }],
    ['accepted without an answer', { action: 'accept', content: {} }],
    ['accepted with no content', { action: 'accept' }],
    ['accepted with an unknown option', accept('maybe')],
    ['accepted with an option in other letters', accept('YES')],
    ['accepted with a list', accept(['yes'])],
    ['of no known action', { action: 'approve', content: { answer: 'yes' } }],
  ])('leaves the gate open when the form is %s [R25] [R37]', async (_how, form) => {
    const owner = await desk({ era, form });
    const text = await owner.prompt('answer_gate', { gate: id, answer: 'yes' });
    expect(text).toMatch(/ stays open/);
    expect(text).toContain(`loopx gate answer ${id} yes`);
    expect((await gate()).state).toBe('open');
  });

  it('takes a form that comes back at once for no person, and leaves the gate open [R25] [R37]', async () => {
    const owner = await desk({ era, form: accept('yes'), formAfterMs: 5 });
    expect(await owner.prompt('answer_gate', { gate: id, answer: 'yes' })).toMatch(
      / stays open: .*faster than a person/,
    );
    expect((await gate()).state).toBe('open');
  });

  it.each([
    [{ CLAUDE_CODE_ENTRYPOINT: 'sdk-cli' }],
    [{ CLAUDE_PID: '1' }],
    [{ CLAUDE_CODE_EXECPATH: '/bin/x' }],
    [{ CLAUDE_CODE_SESSION_ATTENDED: '0' }],
  ])('shows no form and leaves the gate open in an unattended host marked %o [R25] [R37]', async (env) => {
    const owner = await desk({ era, form: accept('yes'), env: env as Record<string, string> });
    expect(await owner.prompt('answer_gate', { gate: id, answer: 'yes' })).toMatch(/ stays open/);
    expect(owner.asked).toEqual([]);
    expect((await gate()).state).toBe('open');
  });

  it('says that a gate is already answered, the same way or another, without a form [R37]', async () => {
    const owner = await desk({ era, form: accept('yes') });
    await owner.prompt('answer_gate', { gate: id, answer: 'yes' });
    const before = await gate();
    owner.asked.length = 0;
    expect(await owner.prompt('answer_gate', { gate: id, answer: 'yes' })).toMatch(
      /already answered: yes.*Nothing was changed/,
    );
    expect(await owner.prompt('answer_gate', { gate: id, answer: 'no' })).toMatch(
      /already answered: yes.*"no" was not recorded/,
    );
    expect(owner.asked).toEqual([]);
    expect((await gate()).version).toBe(before.version);
  });

  it('counts nothing when the question changed while the form was open [R37]', async () => {
    const owner = await desk({ era, form: accept('yes') });
    let release = () => {};
    owner.formWhen = new Promise((resolve) => {
      release = () => resolve(undefined);
    });
    const answering = owner.prompt('answer_gate', { gate: id, answer: 'yes' });
    await eventually(() => owner.asked[0]);
    // The first form was filled in with yes; should another one come, somebody closes it.
    owner.form = { action: 'cancel' };
    const helper = await desk({ form: accept('yes'), env: { WHO: 'helper' } });
    await helper.prompt('answer_gate', { gate: id, answer: 'yes' });
    await agent.call('todo_update', { todo, title: 'publish everything' });
    expect((await gate()).revision).toBe(2);
    release();
    expect(await answering).toMatch(/ stays open/);
    expect((await gate()).state).toBe('open');
  });
});

describe('a form of the modern era', () => {
  it('counts once, and not with a state that was made up or changed [R37]', async () => {
    const owner = await desk({ era: 'modern', form: accept('yes') });
    const params = { name: 'answer_gate', arguments: { gate: id } };
    const first = (await owner.request('prompts/get', params)).result;
    expect(first.resultType).toBe('input_required');
    const inputResponses = { owner: accept('yes') };
    const forged = await owner.request('prompts/get', {
      ...params,
      inputResponses,
      requestState: `${first.requestState}x`,
    });
    expect(forged.error).toBeDefined();
    expect((await owner.request('prompts/get', { ...params, inputResponses })).result.resultType).toBe(
      'input_required',
    );
    expect((await gate()).state).toBe('open');
    await sleep(450);
    const second = await owner.request('prompts/get', { ...params, inputResponses, requestState: first.requestState });
    expect(second.result.messages[0].content.text).toContain(`answered ${id}`);
    await agent.call('todo_update', { todo, title: 'publish everything' });
    expect((await gate()).state).toBe('open');
    const again = await owner.request('prompts/get', { ...params, inputResponses, requestState: first.requestState });
    expect(again.result.resultType).toBe('input_required');
    expect((await gate()).state).toBe('open');
  });
});

describe('answer_gate in a host without forms', () => {
  it('says how to answer instead, where the grade of what was typed is too low [R25] [R37]', async () => {
    const owner = await desk({});
    const text = await owner.prompt('answer_gate', { gate: id, answer: 'yes' });
    expect(text).toContain(`loopx gate answer ${id} yes`);
    expect((await gate()).state).toBe('open');
  });

  it.each(['$1', '$ARGUMENTS', '\u0024{gate}'])(
    'changes nothing for the placeholder %s [R22] [R37]',
    async (placeholder) => {
      const owner = await desk({ form: accept('yes') });
      const text = await owner.prompt('answer_gate', { gate: id, answer: placeholder, note: placeholder });
      expect(text).toMatch(/Nothing was changed/);
      expect(await owner.prompt('pause_goal', { goal: placeholder })).toMatch(/Nothing was changed/);
      expect(await owner.prompt('lesson', { goal: 'g', text: placeholder })).toMatch(/Nothing was changed/);
      expect(owner.asked).toEqual([]);
      expect((await gate()).state).toBe('open');
      expect((await agent.call('goal_status')).goal).toMatchObject({ status: 'active' });
    },
  );

  it('shows the open gates without a gate and with a wrong one [R37]', async () => {
    const owner = await desk({});
    expect(await owner.prompt('answer_gate')).toMatch(/^Open gates:\n\nG\d+ .*\nPublish 2\.0 now\?/);
    expect(await owner.prompt('answer_gate', { gate: '' })).toMatch(/Publish 2\.0 now\?/);
    expect(await owner.prompt('answer_gate', { gate: 'G77' })).toMatch(/^There is no gate G77\. Open gates/);
  });
});

describe('words that hosts split, join or cut', () => {
  it.each([
    ['joined into the first argument', { gate: 'ID yes ship it on Monday' }, 'ship it on Monday'],
    ['split over all', { gate: 'ID', answer: 'yes', note: 'ship' }, 'ship'],
    ['with the option as its label', { gate: 'ID', answer: 'ship it', note: 'on Monday' }, 'on Monday'],
    ['with the note in the answer', { gate: 'ID', answer: 'yes, on Monday' }, 'on Monday'],
    ['cut after the gate', { gate: 'ID' }, ''],
  ])('reach answer_gate %s [R22]', async (_how, args, words) => {
    const owner = await desk({ form: accept('yes') });
    const named = { ...(args as Record<string, string>), gate: args.gate.replace('ID', id.toLowerCase()) };
    expect(await owner.prompt('answer_gate', named)).toContain(`answered ${id}`);
    expect((await gate()).answer).toMatchObject({ option: 'yes', words });
  });
});

describe('gate_ask with askNow', () => {
  const ask = { question: 'Go?', options, askNow: true };

  it.each(['legacy', 'modern'] as const)(
    'answers at once when the owner fills the form, in the %s era [R25]',
    async (era) => {
      const host = await desk({ era, form: accept('yes', 'go on') });
      const asked = await host.call('gate_ask', ask);
      expect(asked).toMatchObject({ ok: true, gate: { state: 'answered' } });
      expect(asked.answer).toMatchObject({ option: 'yes', channel: 'elicitation', grade: 'confirmed', words: 'go on' });
      expect(asked.howToAnswer).toBeUndefined();
      const { total } = await agent.call('goal_status', { view: 'gates' });
      expect(asked.gate.gate).toBe(`G${total}`);
    },
  );

  it.each([
    ['declines', { form: { action: 'decline' } }],
    ['cancels', { form: { action: 'cancel' } }],
    ['answers at once by itself', { form: accept('yes'), formAfterMs: 5 }],
    ['shows no forms', {}],
    ['shows only pages', { capabilities: { elicitation: { url: {} } } }],
    ['is unattended', { form: accept('yes'), env: { CLAUDE_CODE_ENTRYPOINT: 'sdk-cli' } }],
  ] satisfies [string, HostSettings][])('leaves the gate open when the host %s [R25]', async (_how, settings) => {
    for (const era of ['legacy', 'modern'] as const) {
      const host = await desk({ ...settings, era });
      const asked = await host.call('gate_ask', ask);
      expect(asked).toMatchObject({ ok: true, isError: false, gate: { state: 'open' } });
      expect(asked.howToAnswer.length).toBeGreaterThanOrEqual(2);
      expect(asked.answer).toBeUndefined();
    }
  });

  it('shows no form unless it is asked to [R7]', async () => {
    const host = await desk({ form: accept('yes') });
    const { askNow: _, ...later } = ask;
    expect((await host.call('gate_ask', later)).gate.state).toBe('open');
    expect(host.asked).toEqual([]);
  });
});
