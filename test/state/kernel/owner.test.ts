import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { canonical } from '../../../src/state/kernel/canonical.ts';
import type { OwnerAct } from '../../../src/state/kernel/commands.ts';
import { signedActText, signedText } from '../../../src/state/kernel/gate-subject.ts';
import { answer, ask, claim, evidence } from './acts.ts';
import { type Given, givenGoal, refusal } from './given.ts';

function keyPair() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return {
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    sign: (text: string) => sign(null, Buffer.from(text), privateKey).toString('base64'),
  };
}

const at = '2030-01-01T00:00:00.000Z';
const signedBy = (signature: string) => ({ grade: 'signed', signature, signedAt: at }) as const;

describe('the grade of an answer', () => {
  it('must reach confirmed, unless the workspace or the gate asks for another; the higher counts [R37]', () => {
    const given = givenGoal(['a']);
    given.do('ann', ask());
    expect(
      refusal(given.owner(answer('G1'), { grade: 'prompt', channel: 'prompt' }), 'not-allowed').details,
    ).toMatchObject({
      needed: 'confirmed',
      grade: 'prompt',
    });
    given.owned({ type: 'owner.set-min-grade', minGrade: 'prompt' });
    given.owned(answer('G1'), { grade: 'prompt', channel: 'prompt' });
    given.do('ann', ask({ minGrade: 'confirmed' }));
    refusal(given.owner(answer('G2'), { grade: 'prompt' }), 'not-allowed');
    given.owned(answer('G2'));
  });

  it('is needed for every other act of the owner but pause, stop and lesson [R37]', () => {
    const given = givenGoal(['a']);
    given.do('ann', claim('T1'));
    given.do('ann', evidence('T1'));
    given.do('ann', ask({ blocks: { todos: ['T1'] } }));
    given.owned(answer('G1', 'no'));
    given.do('ann', ask());
    given.owned({ type: 'goal.pause', goal: 'parser' }, { grade: 'prompt' });
    const acts: readonly OwnerAct[] = [
      { type: 'gate.lift', gate: 'G1' },
      { type: 'gate.withdraw', gate: 'G2' },
      { type: 'gate.supersede', gate: 'G2' },
      { type: 'goal.resume', goal: 'parser' },
      { type: 'goal.amend', goal: 'parser', amendment: { quota: { tokens: 5 } } },
      { type: 'evidence.accept', evidence: 'E1' },
      { type: 'owner.set-key', publicKey: 'x' },
      { type: 'owner.set-min-grade', minGrade: 'prompt' },
    ];
    const before = given.state;
    for (const act of acts) refusal(given.owner(act, { grade: 'prompt' }), 'not-allowed');
    expect(given.state).toBe(before);
    given.owned({ type: 'goal.lesson', goal: 'parser', text: 'test first' }, { grade: 'prompt' });
    given.owned({ type: 'goal.stop', goal: 'parser' }, { grade: 'prompt' });
  });
});

describe('a signature', () => {
  const key = keyPair();

  function givenKey(): Given {
    const given = givenGoal(['a']);
    given.owned({ type: 'owner.set-key', publicKey: key.publicKey });
    given.do('ann', ask({ blocks: { todos: ['T1'] }, minGrade: 'signed' }));
    return given;
  }

  it('is good for one gate, one revision, one option, one log [R37]', () => {
    const given = givenKey();
    const text = (option: string) => signedText('log-1', given.gate('G1'), option, at);
    refusal(given.owner(answer('G1')), 'not-allowed');
    refusal(given.owner(answer('G1'), { grade: 'signed' }), 'not-allowed');
    refusal(given.owner(answer('G1'), signedBy(key.sign(text('no')))), 'not-allowed');
    refusal(given.owner(answer('G1'), signedBy(keyPair().sign(text('yes')))), 'not-allowed');
    refusal(given.owner(answer('G1'), signedBy('nonsense')), 'not-allowed');
    given.owned(answer('G1'), signedBy(key.sign(text('yes'))));
    expect(given.gate('G1').answer?.grade).toBe('signed');
  });

  it('of another revision is none any more [R37]', () => {
    const given = givenKey();
    const signature = key.sign(signedText('log-1', given.gate('G1'), 'yes', at));
    given.owned(answer('G1'), signedBy(signature));
    given.do('ann', { type: 'todo.update', todo: 'T1', title: 'b' });
    refusal(given.owner(answer('G1'), signedBy(signature)), 'not-allowed');
    expect(given.gate('G1')).toMatchObject({ state: 'open', revision: 2 });
  });

  it('is verified for every act that claims it, and not only for answers [R37]', () => {
    const given = givenKey();
    const sign = (act: OwnerAct) =>
      key.sign(signedActText('log-1', act, 'gate' in act ? given.gate(act.gate) : undefined, at));
    given.owned({ type: 'goal.pause', goal: 'parser' });
    const acts: readonly OwnerAct[] = [
      { type: 'gate.withdraw', gate: 'G1' },
      { type: 'goal.resume', goal: 'parser' },
      { type: 'goal.amend', goal: 'parser', amendment: { title: 'x' } },
    ];
    for (const act of acts) {
      refusal(given.owner(act, { grade: 'signed' }), 'not-allowed');
      refusal(given.owner(act, signedBy(key.sign(canonical(act)))), 'not-allowed');
      given.owned(act, signedBy(sign(act)));
    }
    const strict = { type: 'owner.set-min-grade', minGrade: 'signed' } as const;
    refusal(given.owner(strict, { grade: 'signed' }), 'not-allowed');
    given.owned(strict, signedBy(key.sign(`min grade log-1 signed ${at}`)));
    refusal(given.owner({ type: 'goal.amend', goal: 'parser', amendment: { title: 'y' } }), 'not-allowed');
  });

  it('of the old key alone puts a new key in its place [R37]', () => {
    const given = givenKey();
    const { publicKey } = keyPair();
    const act = { type: 'owner.set-key', publicKey } as const;
    refusal(given.owner(act), 'not-allowed');
    refusal(given.owner(act, signedBy(keyPair().sign(`owner key log-1 ${publicKey}`))), 'not-allowed');
    given.owned(act, signedBy(key.sign(`owner key log-1 ${publicKey}`)));
    expect(given.state.owner.publicKey).toBe(publicKey);
  });

  it('is not demanded of a workspace without a key, where nobody could give it', () => {
    const given = givenGoal();
    refusal(given.owner({ type: 'owner.set-min-grade', minGrade: 'signed' }), 'not-allowed');
    refusal(given.owner({ type: 'owner.set-key', publicKey: key.publicKey }, { grade: 'signed' }), 'not-allowed');
  });
});

describe('the brake', () => {
  it('pauses, resumes and stops, each once however often it is said [R37]', () => {
    const given = givenGoal(['a']);
    given.do('ann', claim('T1'));
    given.owned({ type: 'goal.pause', goal: 'parser' });
    expect(given.row('ann')).toBe('wait goal-paused');
    const { version } = given.state;
    given.owned({ type: 'goal.pause', goal: 'parser' });
    expect(given.state.version).toBe(version);
    given.owned({ type: 'goal.resume', goal: 'parser' });
    expect(given.row('ann')).toBe('run continue-claim');
    given.owned({ type: 'goal.stop', goal: 'parser' });
    refusal(given.owner({ type: 'goal.resume', goal: 'parser' }), 'goal-stopped');
    expect(given.told('ann')).toEqual(['owner-changed-goal', 'owner-changed-goal', 'owner-changed-goal']);
  });

  it('needs a goal that is there', () => {
    const given = givenGoal();
    for (const goal of ['$1', '$ARGUMENTS', 'other', ''])
      refusal(given.owner({ type: 'goal.stop', goal }), 'not-found');
  });
});
