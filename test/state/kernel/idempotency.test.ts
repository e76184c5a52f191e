import { describe, expect, it } from 'vitest';
import { add, claim, finish, note, update, writeback } from './acts.ts';
import { givenGoal } from './given.ts';

const key = { key: 'k-1' };

describe('an idempotency key', () => {
  it('gives the same answer for the same call and has one effect [R27]', () => {
    const given = givenGoal();
    const first = given.try('ann', add('b'), key);
    const { version } = given.state;
    const again = given.try('ann', add('b'), key);
    expect(again).toMatchObject({ ok: true, replayed: version, result: first.ok ? first.result : {} });
    expect([given.state.version, given.state.todos.size]).toEqual([version, 1]);
  });

  it('is refused for another call, another act or other arguments [R27]', () => {
    const given = givenGoal(['a']);
    given.do('ann', note('T1'), key);
    expect(given.refused('ann', 'key-reused', update('T1', { note: 'other' }), key).details).toMatchObject({
      field: 'idempotencyKey',
    });
    given.refused('ann', 'key-reused', add('b'), key);
  });

  it('is the agent’s own: the same key of another agent is another key [R27, R29]', () => {
    const given = givenGoal();
    given.do('ann', add('b'), key);
    given.do('bob', add('b'), key);
    given.do(' ANN', add('b'), { ...key, from: { session: 's-ann' } });
    expect(given.state.todos.size).toBe(2);
  });

  it('holds from a later session too [R27]', () => {
    const given = givenGoal();
    given.do('ann', add('b'), key);
    given.dead('ann').wait(1e6);
    expect(given.try('ann', add('b'), { ...key, from: { session: 's-2' } })).toMatchObject({
      ok: true,
      replayed: given.state.version,
    });
  });

  it('remembers no refusal: what was refused may succeed later [R27]', () => {
    const given = givenGoal(['a']);
    given.refused('ann', 'not-allowed', finish('T1'), key);
    given.do('ann', claim('T1'));
    expect(given.try('ann', finish('T1'), key)).toMatchObject({ ok: true });
    expect(given.try('ann', finish('T1'), key)).toHaveProperty('replayed');
  });

  it('of a claim that was superseded meanwhile answers claim-lost, also after its taker gave it up [R27, R36]', () => {
    const given = givenGoal(['a']);
    given.do('ann', claim('T1'), key);
    expect(given.try('ann', claim('T1'), key)).toHaveProperty('replayed');
    given.dead('ann').do('bob', claim('T1'));
    expect(given.refused('ann', 'claim-lost', claim('T1'), key).details).toMatchObject({ holder: 'bob' });
    given.do('bob', update('T1', { state: 'open' }));
    given.refused('ann', 'claim-lost', claim('T1'), key);
  });

  it('of a writeback spends once however often it is sent [R27, R28]', () => {
    const given = givenGoal(['a']);
    given.do('ann', claim('T1'));
    for (let n = 0; n < 3; n++) given.do('ann', writeback('T1', { spend: { slots: 5 } }), key);
    expect(given.goal().spends).toMatchObject([{ slots: 5, turns: 1 }]);
  });
});
