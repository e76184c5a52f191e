import { describe, expect, it } from 'vitest';
import { allowedSlots, budgetOf, defaultQuota } from '../../../src/state/kernel/budget.ts';
import { claim, spend, writeback } from './acts.ts';
import { type Given, givenGoal } from './given.ts';

const gap = writeback(undefined, { outcome: 'gap' });
const spent = (given: Given) => budgetOf(given.goal(), given.wall).slots.spent;

describe('the slots of a window', () => {
  it('are its minutes by the minutes of a slot, times compute, unless they are given [R28]', () => {
    expect(allowedSlots(defaultQuota)).toBe(1_440);
    expect(allowedSlots({ ...defaultQuota, windowH: 2, slotMinutes: 5, compute: 0.5 })).toBe(12);
    expect(allowedSlots({ ...defaultQuota, allowedSlots: 7 })).toBe(7);
  });

  it('slide: what was spent leaves one window later, to the second [R28]', () => {
    const given = givenGoal(['a'], { quota: { windowH: 1, allowedSlots: 2 } });
    for (let n = 0; n < 2; n++) {
      given.do('ann', gap);
      given.do('ann', spend());
      given.wait(600);
    }
    expect(spent(given)).toBe(2);
    const { code, until } = given.decision('ann');
    expect([code, until]).toEqual(['quota-exhausted', given.wall + 2_400_000]);
    given.wait(2_399);
    expect(given.row('ann')).toBe('wait quota-exhausted');
    given.wait(1);
    expect([spent(given), given.row('ann')]).toEqual([1, 'run todo-ready']);
  });
});

describe('a spend', () => {
  it('follows a validated writeback, once each, and costs a slot where nothing is said [R28]', () => {
    const given = givenGoal(['a']);
    given.refused('ann', 'nothing-to-spend', spend());
    given.do('ann', gap);
    expect(given.do('ann', spend()).spent).toEqual({ slots: 1, tokens: 0, usd: 0 });
    given.refused('ann', 'nothing-to-spend', spend());
    given.refused('bob', 'nothing-to-spend', spend());
    expect(spent(given)).toBe(1);
  });

  it('rides on the writeback too, and is then paid [R28]', () => {
    const given = givenGoal(['a']);
    expect(given.do('ann', { ...gap, spend: { slots: 2, usd: 0.5 } }).spent).toEqual({ slots: 2, tokens: 0, usd: 0.5 });
    given.refused('ann', 'nothing-to-spend', spend());
  });

  it('is never due for a quiet turn, a refusal or a repeat [R28, R27]', () => {
    const given = givenGoal(['a']);
    given.do('ann', writeback(undefined, { outcome: 'quiet' }));
    given.refused('ann', 'nothing-to-spend', spend());
    given.refused('ann', 'bad-argument', writeback(undefined, { outcome: 'quiet', spend: { slots: 1 } }));
    given.refused('ann', 'bad-argument', writeback(undefined, { outcome: 'primary', spend: { slots: 1 } }));
    for (let n = 0; n < 2; n++) given.do('ann', { ...gap, spend: { slots: 1 } }, { key: 'k' });
    expect(spent(given)).toBe(1);
  });

  it.each([
    ['slots', { slots: 4 }, 3],
    ['tokens', { tokens: 101 }, 100],
    ['usd', { usd: 0.31 }, 0.3],
  ] as const)('over the budget of %s is refused with what is left, and lands with less [R28]', (field, more, left) => {
    const given = givenGoal(['a'], { quota: { allowedSlots: 3, tokens: 100, usd: 0.3 } });
    given.do('ann', claim('T1'));
    const before = given.state;
    const refused = given.refused('ann', 'overspent', writeback('T1', { spend: more, successors: [{ title: 'b' }] }));
    expect(refused.details).toMatchObject({ field: `spend.${field}`, left });
    expect(given.state).toBe(before);
    given.do('ann', writeback('T1', { spend: { [field]: left } }));
    expect(given.row('ann')).toBe('wait quota-exhausted');
    given.do('ann', writeback('T1'));
  });

  it('of many cents adds up without a rest [R28]', () => {
    const given = givenGoal(['a'], { quota: { usd: 0.3, noProgressLimit: 100 } });
    for (let n = 0; n < 3; n++) given.do('ann', { ...gap, spend: { usd: 0.1 } });
    expect(given.row('ann')).toBe('wait quota-exhausted');
    given.refused('ann', 'overspent', { ...gap, spend: { usd: 0.000001 } });
  });

  it.each([
    [{ slots: -1 }],
    [{ slots: 0.5 }],
    [{ tokens: Number.NaN }],
    [{ usd: Number.POSITIVE_INFINITY }],
    [{ slots: 0 }],
  ])('of %o is refused by the field [R24]', (more) => {
    const given = givenGoal(['a']);
    given.do('ann', gap);
    given.refused('ann', 'bad-argument', spend(more));
  });

  it('counts turns by writebacks that were not quiet [R28]', () => {
    const given = givenGoal(['a'], { quota: { turns: 2 } });
    given.do('ann', writeback(undefined, { outcome: 'quiet' }));
    given.do('ann', gap);
    expect(budgetOf(given.goal(), given.wall).turns).toEqual({ allowed: 2, spent: 1 });
    given.do('ann', gap);
    expect(given.row('ann')).toBe('wait quota-exhausted');
  });
});
