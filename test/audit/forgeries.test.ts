import { generateKeyPairSync, sign } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { derive } from '../../src/audit/derive.ts';
import { readLog } from '../../src/audit/read-log.ts';
import type { OwnerCaller } from '../../src/state/answer.ts';
import { signedText } from '../../src/state/kernel/gate-subject.ts';
import { openFileLog } from '../../src/state/log/file-log.ts';
import { Replica } from '../../src/state/replica.ts';
import { flip, forge } from './log-lines.ts';
import { type Body, Workspace, work } from './workspace.ts';

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const publicText = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
const signedAt = '2026-06-01T00:00:00.000Z';

describe('The audit of a log that was tampered with', () => {
  let workspace: Workspace;
  beforeEach(async () => {
    workspace = await Workspace.open();
    await work(workspace);
  });
  afterEach(() => workspace.remove());

  const facts = (audit: Body) => audit.differences.map((one: Body) => `${one.surface} ${one.fact}: ${one.derived}`);

  it('finds a byte flipped under a server that had read it before [R14]', async () => {
    expect((await workspace.audit()).clean).toBe(true);
    flip(workspace.segment, 'Write the parser');
    const audit = await workspace.audit();
    expect(audit.clean).toBe(false);
    expect(facts(audit)).toContainEqual(expect.stringMatching(/^log chain: 000001.jsonl line \d+ holds version/));
  });

  it('finds it in the last line too, which nothing chains to yet, by what is shown [R14]', async () => {
    await workspace.act({ type: 'todo.add', goal: 'parser', todos: [{ title: 'Come last' }] });
    expect((await workspace.audit()).clean).toBe(true);
    flip(workspace.segment, 'Come last');
    expect(facts(await workspace.audit())).toContainEqual('view=todos parser T8 title: Bome last');
  });

  it('is refused by a server that comes to damage that was there before, as everything is [R14]', async () => {
    flip(workspace.segment, 'Write the parser');
    await workspace.another();
    expect(await workspace.audit()).toMatchObject({ ok: false, code: 'store-damaged' });
  });

  it('finds a line forged without its place in the chain', async () => {
    expect((await workspace.audit()).clean).toBe(true);
    forge(workspace.segment, [{ type: 'todo.done', todo: 'T2' }], { prev: 'ab'.repeat(32) });
    expect(readLog(`${workspace.stateDir}/log`).damage).toContain('does not follow version');
    const audit = await workspace.audit();
    expect(audit.ok && audit.clean).toBe(false);
  });

  const yes = { option: 'yes', effect: 'approve', channel: 'cli', grade: 'confirmed', name: 'Olga', words: '' };
  const byOlga = { owner: 'Olga', agent: 'owner:Olga', channel: 'cli', grade: 'confirmed' };
  const claimed = { type: 'claim.granted', agent: 'bob', session: 'x', ttlS: 60 };
  const digest = /^log version \d+: gate.asked G9: what it is about digests to/;
  const asked = {
    kind: 'decision',
    question: 'Go?',
    options: [],
    blocks: { todos: ['T2'], goal: false },
    protects: { paths: [], resources: [], commands: [] },
    context: '',
    evidence: [],
    subjectDigest: 'ab',
  };

  /** Lines with a good place in the chain, which every reader takes for commits, and what the audit says of them. */
  const forgeries: readonly (readonly [string, readonly Body[], Body, RegExp])[] = [
    ['an answer by an agent', [{ type: 'gate.answered', gate: 'G2', answer: yes }], {}, /only the owner does that/],
    ['a goal that an agent resumes', [{ type: 'goal.resumed', goal: 'docs' }], {}, /only the owner does that/],
    [
      'an answer of too low a grade',
      [{ type: 'gate.answered', gate: 'G2', answer: { ...yes, grade: 'prompt' } }],
      { by: { ...byOlga, grade: 'prompt' } },
      /it needed confirmed/,
    ],
    [
      'an answer of another grade than its commit',
      [{ type: 'gate.answered', gate: 'G2', answer: { ...yes, channel: 'dashboard' } }],
      { by: byOlga },
      /the commit came by cli, confirmed/,
    ],
    [
      'an option that was not there',
      [{ type: 'gate.answered', gate: 'G2', answer: { ...yes, option: 'maybe' } }],
      { by: byOlga },
      /has no such option/,
    ],
    [
      'an answer said to be signed',
      [{ type: 'gate.answered', gate: 'G2', answer: { ...yes, grade: 'signed' }, signature: 'AAAA', signedAt }],
      { by: { ...byOlga, grade: 'signed' } },
      /the signature is not the owner's/,
    ],
    ['a second claim beside the first', [{ ...claimed, todo: 'T7' }], {}, /ann held it and nothing took it from them/],
    ['a claim on what is done', [{ ...claimed, todo: 'T1' }], {}, /it was done/],
    ['a claim taken from somebody else', [{ type: 'claim.taken-over', todo: 'T7', from: 'bob' }], {}, /ann held it/],
    [
      'a gate about something else than it says',
      [{ type: 'gate.asked', gate: 'G9', goal: 'parser', asked, by: 'x' }],
      {},
      digest,
    ],
    [
      'time that goes back',
      [{ type: 'todo.noted', todo: 'T2', by: 'x', text: 'y' }],
      { at: '2020-01-01T00:00:00.000Z' },
      /time/,
    ],
  ];

  it.each(forgeries)('finds %s', async (_, events, more, rule) => {
    forge(workspace.segment, events, more);
    const audit = await workspace.audit({ goal: 'parser' });
    expect(audit).toMatchObject({ ok: true, clean: false });
    expect(facts(audit).filter((fact: string) => fact.startsWith('log '))).toContainEqual(expect.stringMatching(rule));
  });

  it('finds an approval that stands though what was approved has changed', async () => {
    const gate = { type: 'gate.ask', question: 'Parse?', kind: 'approval', blocks: { todos: ['T2'] } } as const;
    expect(await workspace.act(gate)).toMatchObject({ ok: true, gate: { gate: 'G3' } });
    expect(await workspace.own({ type: 'gate.answer', gate: 'G3', option: 'yes' })).toMatchObject({ ok: true });
    expect(await workspace.audit()).toMatchObject({ clean: true });
    forge(workspace.segment, [{ type: 'todo.changed', todo: 'T2', change: { title: 'Parse all' }, by: 'mallory' }]);
    expect(facts(await workspace.audit())).toEqual(['log approval G3: what was approved has changed']);
  });

  it('holds a signed answer good, and finds it forged when it is put under another question', async () => {
    await workspace.own({ type: 'owner.set-key', publicKey: publicText });
    const log = openFileLog({ stateDir: workspace.stateDir });
    const state = await new Replica(log).catchUp();
    const gate = state.gates.get('G2');
    if (!gate) throw new Error('no G2');
    const text = signedText(state.log, gate, 'yes', signedAt);
    const signature = sign(null, Buffer.from(text), privateKey).toString('base64');
    const olga: OwnerCaller = { name: 'Olga', channel: 'cli', grade: 'signed', signature, signedAt };
    expect(await workspace.own({ type: 'gate.answer', gate: 'G2', option: 'yes' }, olga)).toMatchObject({ ok: true });
    await log.close();
    expect(await workspace.audit()).toMatchObject({ clean: true, checked: { signatures: 1 } });

    const { commits } = readLog(`${workspace.stateDir}/log`);
    expect(derive(commits).signatures).toEqual({ checked: 1, good: 1 });
    const edited = JSON.parse(JSON.stringify(commits).replaceAll('Which name?', 'What name?'));
    expect(derive(edited).breaches).toEqual([expect.objectContaining({ fact: 'gate.answered G2', shown: 'signed' })]);
  });
});
