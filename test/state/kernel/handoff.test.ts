import { describe, expect, it } from 'vitest';
import type { HandoffOffer } from '../../../src/state/kernel/commands.ts';
import { claim, handoff, join, note, update, writeback } from './acts.ts';
import { type Given, givenGoal } from './given.ts';

function givenHandoff(to: HandoffOffer['to'], more: Partial<HandoffOffer> = {}): Given {
  const given = givenGoal(['a']);
  given.do('cat', join({ capabilities: ['review'] }));
  given.do('bob', join());
  given.do('ann', claim('T1'));
  given.do('ann', handoff('T1', to, more));
  return given;
}

describe('a handoff', () => {
  it('releases the claim and is for its target first; claiming accepts it', () => {
    const given = givenHandoff({ agent: 'Bob' });
    expect(given.todo('T1')).toMatchObject({ state: 'open', handoff: 'H1' });
    expect(given.told('bob')).toEqual(['handoff-offered']);
    for (const agent of ['ann', 'cat']) given.refused(agent, 'todo-blocked', claim('T1'));
    given.do('bob', claim('T1'));
    expect(given.state.handoffs.get('H1')).toMatchObject({ state: 'accepted', takenBy: 'bob' });
  });

  it('to a capability is for any peer that has it, to any for any but its giver', () => {
    const given = givenHandoff({ capability: ' Review ' });
    given.refused('bob', 'todo-blocked', claim('T1'));
    given.do('cat', claim('T1'));
    given.do('cat', handoff('T1', { any: true }));
    given.refused('cat', 'todo-blocked', claim('T1'));
    given.do('bob', claim('T1'));
  });

  it('returns to all when its time is over', () => {
    const given = givenHandoff({ agent: 'bob' }, { acceptWithinS: 60 });
    given.wait(59).refused('ann', 'todo-blocked', claim('T1'));
    given.wait(1).do('ann', claim('T1'));
    expect(given.state.handoffs.get('H1')?.state).toBe('ended');
  });

  it.each([
    ['opening it', update('T1', { state: 'open' })],
    ['handing it on', handoff('T1', { any: true })],
  ])('is declined by its target by %s', (_, act) => {
    const given = givenHandoff({ agent: 'bob' });
    given.refused('cat', 'not-allowed', act);
    given.do('bob', act);
    expect(given.state.handoffs.get('H1')?.state).toBe('declined');
    given.do('cat', claim('T1'));
  });

  it('names one target, not oneself, and is the holder’s to make', () => {
    const given = givenGoal(['a']);
    given.refused('ann', 'not-allowed', handoff('T1', { any: true }));
    given.do('ann', claim('T1'));
    given.refused('bob', 'claim-held', handoff('T1', { any: true }));
    for (const to of [{}, { any: true, agent: 'bob' }, { agent: 'ann' }, { agent: ' ' }, { any: false }]) {
      given.refused('ann', 'bad-argument', handoff('T1', to));
    }
  });

  it('rides on a writeback, whose token is over with it [R36]', () => {
    const given = givenGoal(['a']);
    const { token } = given.do('ann', claim('T1'));
    expect(given.do('ann', writeback('T1', { handoff: { to: { agent: 'bob' }, summary: 's' } })).handoff).toBe('H1');
    given.refused('ann', 'claim-lost', note('T1', token));
  });
});
