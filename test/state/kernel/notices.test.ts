import { describe, expect, it } from 'vitest';
import { answer, ask, claim, handoff, join, note, reserve, update } from './acts.ts';
import { givenGoal } from './given.ts';

describe('a notice', () => {
  it('is kept in the log for whom it concerns, at the version of what it tells [R36]', () => {
    const given = givenGoal(['a']);
    given.do('ann', claim('T1'));
    given.dead('ann').do('bob', claim('T1'));
    expect(given.state.notices.get('ann')).toEqual([
      {
        code: 'claim-lost',
        todo: 'T1',
        version: given.state.version,
        text: expect.stringContaining('bob took it over'),
      },
    ]);
    expect(given.told('bob')).toEqual([]);
  });

  it('is not sent about what an agent did itself', () => {
    const given = givenGoal([{ title: 'a', scope: { paths: ['src/**'] } }]);
    given.do('ann', claim('T1'));
    given.do('ann', ask({ protects: { paths: ['src/**'] } }));
    expect(given.told('ann')).toEqual([]);
  });

  it('tells of an answer to whoever asked and whoever holds what was blocked, with the owner’s words [R37]', () => {
    const given = givenGoal(['a']);
    given.do('bob', claim('T1'));
    given.do('ann', ask({ blocks: { todos: ['T1'] } }));
    given.owned(answer('G1', 'no', 'not now'));
    for (const agent of ['ann', 'bob']) {
      expect(given.state.notices.get(agent)?.at(-1)).toMatchObject({
        code: 'gate-answered',
        gate: 'G1',
        text: expect.stringContaining('not now'),
      });
    }
  });

  it('tells of a handoff to its target, and of its refusal to its giver', () => {
    const given = givenGoal(['a']);
    given.do('bob', join());
    given.do('ann', claim('T1'));
    given.do('ann', handoff('T1', { agent: 'bob' }));
    given.do('bob', update('T1', { state: 'open' }));
    expect([given.told('bob'), given.told('ann')]).toEqual([['handoff-offered'], ['handoff-offered']]);
  });

  it('tells of a goal that the owner changed to everybody who worked on it, and to nobody else [R37]', () => {
    const given = givenGoal(['a']);
    given.do('ann', claim('T1'));
    given.do('bob', reserve(['port:1']));
    given.owned({ type: 'goal.amend', goal: 'parser', amendment: { objective: 'Make it right' } });
    expect([given.told('ann'), given.told('bob')]).toEqual([['owner-changed-goal'], []]);
  });

  it('is one of the newest fifty', () => {
    const given = givenGoal(['a']);
    given.do('ann', claim('T1'));
    for (let n = 0; n < 60; n++) {
      given.owned({ type: n % 2 === 0 ? 'goal.pause' : 'goal.resume', goal: 'parser' });
    }
    given.do('ann', note('T1'));
    expect(given.told('ann')).toHaveLength(50);
  });
});
