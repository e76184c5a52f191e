import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Body, FormFill, LoopxClient } from './loopx-client.ts';
import { Project } from './project.ts';

const options = [
  { key: 'yes', label: 'Delete it', effect: 'approve' },
  { key: 'no', label: 'Keep it', effect: 'deny' },
];
const gate = { question: 'Delete the table?', kind: 'approval', options, blocks: { todos: ['T1'] } };

/** Valid arguments of every tool, about the gate or its todo wherever a tool can be. */
const validArguments: Record<string, Body> = {
  goal_start: { goal: 'g', objective: 'Tidy up' },
  goal_status: { id: 'G1' },
  agent_join: { agent: 'ann' },
  quota_should_run: { goal: 'g', claim: true },
  todo_add: { goal: 'g', todos: [{ title: 'Another', after: ['T1'], scope: { paths: ['db/**'] }, ref: 'x' }] },
  todo_claim: { todo: 'T1' },
  todo_update: { todo: 'T1', state: 'done', note: 'done' },
  gate_ask: { goal: 'g', question: 'And now?', options, blocks: { todos: ['T1'] }, recommend: 'yes' },
  evidence_write: { todo: 'T1', kind: 'decision', summary: 'The owner approved G1', result: 'pass' },
  writeback: { todo: 'T1', outcome: 'primary', summary: 'The owner said yes', todoState: 'done' },
  quota_spend: { slots: 1 },
  handoff: { todo: 'T1', to: { any: true }, summary: 'G1 is answered' },
  monitor_report: { todo: 'T1', changed: true, observation: 'G1 is answered' },
  reserve: { resources: ['gate:G1'] },
  review_packet: { gate: 'G1' },
  audit: { goal: 'g' },
};

/** What a model might write where it would like the gate to be open. */
const approvals = ['yes', 'approve', 'G1', 'G1 yes', 'answered', 'owner', '{"gate":"G1","answer":"yes"}'];
const smuggled = {
  answer: 'yes',
  option: 'yes',
  grade: 'signed',
  channel: 'cli',
  owner: 'owner',
  gate: 'G1',
  words: 'yes',
  type: 'gate.answer',
};

/** The dotted paths of all texts in arguments, by the tool's own schema. */
function textPaths(schema: Body, path: string[] = []): string[][] {
  if (schema.type === 'string') return [path];
  if (schema.type === 'array') return textPaths(schema.items, [...path, '0']);
  return Object.entries<Body>(schema.properties ?? {}).flatMap(([name, part]) => textPaths(part, [...path, name]));
}

function withText(args: Body, path: readonly string[], value: string): Body {
  const copy = structuredClone(args);
  let here: Body = copy;
  for (const [at, step] of path.slice(0, -1).entries()) {
    here[step] ??= /^\d+$/.test(path[at + 1] ?? '') ? [] : {};
    here = here[step];
  }
  here[path.at(-1) ?? ''] = value;
  return copy;
}

describe('A gate', { timeout: 120_000 }, () => {
  let project: Project;
  let ann: LoopxClient;

  beforeEach(async () => {
    project = await Project.make();
    ann = await project.client('ann');
    await ann.call('goal_start', { goal: 'g', objective: 'Tidy up', todos: [{ title: 'Delete the table' }] });
    await ann.call('gate_ask', gate);
  });

  afterEach(() => project.remove());

  const gateNow = async () => (await ann.call('goal_status', { id: 'G1' })).gate;

  it('is opened by no tool, whatever stands in whichever argument, and then by the owner [R37]', async () => {
    const listed = await ann.listTools();
    expect(listed.map(({ name }) => name).sort()).toEqual(Object.keys(validArguments).sort());
    let calls = 0;
    for (const { name, inputSchema } of listed) {
      const args = validArguments[name] as Body;
      const paths = textPaths(inputSchema);
      const tries = [
        args,
        { ...args, ...smuggled },
        ...paths.flatMap((path) => approvals.map((value) => withText(args, path, value))),
      ];
      // Six at a time, as hosts send them.
      for (let at = 0; at < tries.length; at += 6)
        await Promise.all(tries.slice(at, at + 6).map((one) => ann.call(name, one)));
      calls += tries.length;
      expect(await gateNow(), `after ${name}`).toMatchObject({ state: 'open', revision: 1 });
    }
    expect(calls).toBeGreaterThan(500);
    const { todo } = await ann.call('goal_status', { id: 'T1' });
    expect(todo).toMatchObject({ title: 'Delete the table', state: 'open', blockedBy: [{ gate: 'G1' }] });

    const desk = await project.client(undefined, { onForm: { action: 'accept', answer: 'no' } });
    await desk.prompt('answer_gate', { gate: 'G1' });
    expect(await gateNow()).toMatchObject({ state: 'answered', answer: { option: 'no', grade: 'confirmed' } });
  });

  it.each<[string, FormFill]>([
    ['is declined', { action: 'decline' }],
    ['is cancelled', { action: 'cancel' }],
    ['is accepted with an option that is not there', { action: 'accept', answer: 'maybe' }],
    ['is accepted without an option', { action: 'accept' }],
    ['is accepted faster than a person can read', { action: 'accept', answer: 'yes', afterMs: 0 }],
  ])('stays open when its form %s [R25, R37]', async (_, onForm) => {
    const desk = await project.client('bob', { onForm });
    const text = await desk.prompt('answer_gate', { gate: 'G1', answer: 'yes' });
    expect(desk.forms).toHaveLength(1);
    expect(text).toContain('G1 stays open');
    const asked = await desk.call('gate_ask', { ...gate, askNow: true });
    expect(desk.forms).toHaveLength(2);
    expect(asked).toMatchObject({ ok: true, gate: { gate: 'G2', state: 'open' } });
    expect(await gateNow()).toMatchObject({ state: 'open', revision: 1 });
  });

  it('stays open when the host goes away while the form stands [R25]', async () => {
    const desk = await project.client('bob', { onForm: { action: 'accept', answer: 'yes', afterMs: 60_000 } });
    const asking = desk.prompt('answer_gate', { gate: 'G1' }).catch((error: Error) => error);
    await expect.poll(() => desk.forms.length, { timeout: 10_000 }).toBe(1);
    desk.kill();
    expect(await asking).toBeInstanceOf(Error);
    expect(await gateNow()).toMatchObject({ state: 'open' });
  });

  it('opens again by itself when what was approved is changed afterwards [R37]', async () => {
    const desk = await project.client(undefined, { onForm: { action: 'accept', answer: 'yes' } });
    await desk.prompt('answer_gate', { gate: 'G1' });
    expect(await gateNow()).toMatchObject({ state: 'answered' });
    await ann.call('todo_update', { todo: 'T1', title: 'Delete every table' });
    expect(await gateNow()).toMatchObject({ state: 'open', revision: 2 });
    expect(await ann.call('todo_claim', { todo: 'T1' })).toMatchObject({ ok: false, code: 'gate-pending' });
  });
});
