import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Place } from '../cli/loopx.ts';
import { type HostSettings, TestHost } from '../server/test-host.ts';

let place: Place;
let agent: TestHost;
const hosts: TestHost[] = [];

beforeEach(async () => {
  place = new Place();
  agent = await TestHost.start(place);
  await agent.call('goal_start', { goal: 'g', objective: 'Import CSV', acceptance: ['files import'] });
});

afterEach(async () => {
  for (const host of [agent, ...hosts.splice(0)]) await host.stop();
  place.remove();
});

async function desk(settings: HostSettings): Promise<TestHost> {
  const host = await TestHost.start(place, settings);
  hosts.push(host);
  return host;
}

const goal = async () => (await agent.call('goal_status', { goal: 'g' })).goal;
const accept = (answer: string, note?: string) => ({ action: 'accept', content: { answer, ...(note && { note }) } });

describe.each(['legacy', 'modern'] as const)('amend_goal in the %s era', (era) => {
  it('shows exactly what would change and applies it on a yes, once however often it is read [R37]', async () => {
    const owner = await desk({ era, form: accept('yes') });
    const args = { goal: 'g', change: 'objective: Import CSV and TSV\nadd: TSV files import\nusd: 5' };
    expect(await owner.prompt('amend_goal', args)).toMatch(/^The owner changed goal g:/);
    expect(owner.asked[0]?.params.message).toBe(
      'Change goal g exactly like this?\n\nobjective: Import CSV → Import CSV and TSV\nnew criterion: TSV files import\nquota usd: none → 5',
    );
    const once = await goal();
    expect(once).toMatchObject({ objective: 'Import CSV and TSV', objectiveVersion: 2, quota: { usd: 5 } });
    expect(await owner.prompt('amend_goal', args)).toMatch(/like that already; nothing was changed/);
    expect((await goal()).version).toBe(once.version);
  });

  it('takes plain words as the objective, drops criteria, and reads an amendment as JSON [R37]', async () => {
    const owner = await desk({ era, form: accept('yes') });
    await owner.prompt('amend_goal', { goal: 'g', change: 'Import all tables' });
    await owner.prompt('amend_goal', {
      goal: 'g',
      change: '{"addAcceptance":["it is quick"],"dropAcceptance":["a1"]}',
    });
    expect(await goal()).toMatchObject({
      objective: 'Import all tables',
      acceptance: [
        { id: 'A1', state: 'dropped' },
        { id: 'A2', text: 'it is quick' },
      ],
    });
  });

  it('asks for the whole change where the host cut it at the first blank [R22]', async () => {
    const owner = await desk({ era, form: accept('yes', 'add: it handles quotes') });
    await owner.prompt('amend_goal', { goal: 'g', change: 'add' });
    expect(owner.asked).toHaveLength(2);
    expect((await goal()).acceptance.map(({ text }: { text: string }) => text)).toContain('it handles quotes');
  });

  it.each([
    ['no', accept('no')],
    ['nothing', { action: 'decline' }],
  ])('changes nothing when the owner says %s [R25] [R37]', async (_what, form) => {
    const owner = await desk({ era, form });
    expect(await owner.prompt('amend_goal', { goal: 'g', change: 'Import nothing at all' })).toMatch(/stays as it is/);
    expect(await goal()).toMatchObject({ objective: 'Import CSV', objectiveVersion: 1 });
  });
});

describe('the brake', () => {
  it('pauses and stops without a form, in every host, and twice is once [R37]', async () => {
    const owner = await desk({});
    expect(await owner.prompt('pause_goal', { goal: 'g for the holidays' })).toMatch(/^The owner paused goal g/);
    expect(await owner.prompt('pause_goal', { goal: 'G' })).toMatch(/already paused; nothing was changed/);
    expect((await goal()).status).toBe('paused');
    expect(await owner.prompt('stop_goal', { goal: 'g' })).toMatch(/^The owner stopped goal g/);
    expect((await goal()).status).toBe('stopped');
  });

  it('needs a goal that is there [R37]', async () => {
    const owner = await desk({});
    expect(await owner.prompt('pause_goal')).toMatch(/Name the goal; nothing was changed.*- g \(active\)/s);
    expect(await owner.prompt('stop_goal', { goal: 'other' })).toMatch(/There is no goal other; nothing was changed/);
    expect((await goal()).status).toBe('active');
  });

  it.each(['legacy', 'modern'] as const)('is taken off only by a confirmed yes, in the %s era [R37]', async (era) => {
    const plain = await desk({ era });
    await plain.prompt('pause_goal', { goal: 'g' });
    expect(await plain.prompt('resume_goal', { goal: 'g' })).toMatch(/stays paused.*loopx goal resume --goal g/s);
    const owner = await desk({ era, form: accept('no') });
    expect(await owner.prompt('resume_goal', { goal: 'g' })).toMatch(/stays paused: the owner said no/);
    expect((await goal()).status).toBe('paused');
    owner.form = accept('yes');
    expect(await owner.prompt('resume_goal', { goal: 'g' })).toMatch(/^The owner resumed goal g/);
    expect((await goal()).status).toBe('active');
    expect(await owner.prompt('resume_goal', { goal: 'g' })).toMatch(/active already/);
  });
});

describe('lesson', () => {
  it('is kept for later turns, once [R22]', async () => {
    const owner = await desk({});
    await owner.prompt('lesson', { goal: 'g', text: 'Run the linter first' });
    await owner.prompt('lesson', { goal: 'g', text: 'Run the linter first' });
    await owner.prompt('lesson', { goal: 'g Keep commits small' });
    expect((await goal()).lessons).toEqual(['Run the linter first', 'Keep commits small']);
  });

  it('asks for the rest where one word arrived and the host can show a form [R22]', async () => {
    const owner = await desk({ form: accept('yes', 'Run the tests first') });
    await owner.prompt('lesson', { goal: 'g', text: 'Run' });
    expect((await goal()).lessons).toEqual(['Run the tests first']);
  });

  it('counts for nothing in a host that nobody sits at [R37]', async () => {
    const owner = await desk({ env: { CLAUDE_PID: '7' } });
    expect(await owner.prompt('lesson', { goal: 'g', text: 'Trust the agent' })).toMatch(/Nothing was kept/);
    expect((await goal()).lessons).toBeUndefined();
  });
});

describe('prompts that only tell', () => {
  it('give the loop, the start of a goal, the status and a review, with what the owner typed', async () => {
    const owner = await desk({});
    expect(await owner.prompt('loop', { task: 'the parser first' })).toMatch(/leans towards: the parser first/);
    expect(await owner.prompt('start_goal', { objective: 'Import CSV' })).toMatch(/The owner wants: Import CSV/);
    expect(await owner.prompt('start_goal', { objective: '$1' })).toContain('$1');
    expect(await owner.prompt('status', { goal: '$1' })).toMatch(/"objective":"Import CSV"/);
    expect(await owner.prompt('review', { item: 'g' })).toMatch(/Do not decide/);
    expect(await owner.prompt('review', { item: 'T99' })).toMatch(/T99/);
  });

  it('complete gates, option keys and goals [R22]', async () => {
    await agent.call('gate_ask', {
      question: 'Which?',
      options: [
        { key: 'red', label: 'Red', effect: 'choose' },
        { key: 'blue', label: 'Blue', effect: 'choose' },
      ],
    });
    const owner = await desk({});
    const complete = async (name: string, argument: string, value: string, given = {}) =>
      (
        await owner.request('completion/complete', {
          ref: { type: 'ref/prompt', name },
          argument: { name: argument, value },
          context: { arguments: given },
        })
      ).result.completion.values;
    expect(await complete('answer_gate', 'gate', 'g')).toEqual(['G1']);
    expect(await complete('answer_gate', 'answer', '', { gate: 'g1' })).toEqual(['red', 'blue']);
    expect(await complete('answer_gate', 'answer', 'b', { gate: 'G1' })).toEqual(['blue']);
    expect(await complete('pause_goal', 'goal', '')).toEqual(['g']);
    expect(await complete('review', 'item', '')).toEqual(['G1', 'g']);
    expect(await complete('answer_gate', 'note', '')).toEqual([]);
  });
});
