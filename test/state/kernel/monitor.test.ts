import { describe, expect, it } from 'vitest';
import { claim, finish, report } from './acts.ts';
import { givenGoal } from './given.ts';

const monitor = { title: 'watch', kind: 'monitor', everyS: 60 } as const;

describe('a monitor', () => {
  it('is due at once, then after each report; a report releases it', () => {
    const given = givenGoal([monitor]);
    given.do('ann', claim('T1'));
    given.refused('bob', 'claim-held', claim('T1'));
    given.do('ann', report('T1', true));
    expect(given.todo('T1')).toMatchObject({ state: 'open', dueAt: given.wall + 60_000 });
    expect(given.claim('T1')).toBeUndefined();
    given.wait(59).refused('bob', 'todo-blocked', claim('T1'));
    given.wait(1).do('bob', claim('T1'));
  });

  it('widens its interval while nothing changes, up to eight times, and a change resets it', () => {
    const given = givenGoal([monitor]);
    const intervals: (number | undefined)[] = [];
    for (const changed of [false, false, false, false, true, false]) {
      given.do('ann', claim('T1'));
      given.do('ann', report('T1', changed));
      intervals.push(given.todo('T1').intervalS);
      given.wait(1_000);
    }
    expect(intervals).toEqual([120, 240, 480, 480, 60, 120]);
  });

  it('that changed needs the observation, which is kept as a note', () => {
    const given = givenGoal([monitor]);
    given.do('ann', claim('T1'));
    given.refused('ann', 'bad-argument', report('T1', true, { observation: ' ' }));
    given.do('ann', report('T1', true, { observation: 'build 214 fails', nextDueS: 5 }));
    expect(given.todo('T1')).toMatchObject({
      dueAt: given.wall + 5_000,
      notes: [{ by: 'ann', text: 'build 214 fails' }],
    });
  });

  it('is reported by its holder only, and only a monitor is', () => {
    const given = givenGoal([monitor, 'a']);
    given.refused('ann', 'not-allowed', report('T1', false));
    given.do('ann', claim('T2'));
    given.refused('ann', 'bad-argument', report('T2', false));
  });

  it('is first due when it says so, and ends like any todo', () => {
    const given = givenGoal([{ ...monitor, dueAt: '2030-01-01T01:00:00Z' }]);
    given.refused('ann', 'todo-blocked', claim('T1'));
    given.wait(3_600).do('ann', claim('T1'));
    given.do('ann', finish('T1'));
    given.refused('ann', 'todo-blocked', claim('T1'));
  });
});
