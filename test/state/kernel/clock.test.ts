import { describe, expect, it } from 'vitest';
import { wallIso } from '../../../src/state/kernel/clock.ts';
import { claim, note, reserve, writeback } from './acts.ts';
import { givenGoal, start } from './given.ts';

const day = 86_400;

describe('the log’s clock', () => {
  it('never goes back, however the wall clock does [R36]', () => {
    const given = givenGoal(['a']);
    for (const seconds of [10, -300, 500, -590, -10 * day, 5, 3 * day, -day]) {
      given.wait(seconds).do('ann', note('T1'));
    }
    const times = given.commits.map((commit) => commit.at);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(new Set(times).size).toBeGreaterThan(3);
  });

  it('that is up to ten minutes ahead is waited for, without a correction', () => {
    const given = givenGoal(['a']);
    given.wait(-600).do('ann', note('T1'));
    expect(given.state).toMatchObject({ clockOffsetMs: 0, at: start });
  });

  it('that ran a day ahead is corrected, and every deadline keeps what remained of it [R36]', () => {
    const given = givenGoal(['a', { title: 'm', kind: 'monitor', everyS: 600 }], {
      quota: { windowH: 1, allowedSlots: 1 },
    });
    given.wait(day).do('ann', claim('T2'));
    given.do('ann', { type: 'monitor.report', todo: 'T2', changed: true, observation: 'x' });
    given.do('ann', claim('T1', { ttlS: 100 }));
    given.unknown('ann');
    given.do('dan', reserve(['port:1'], { ttlS: 200 }));
    given.unknown('dan');
    given.do('cat', writeback(undefined, { outcome: 'gap', spend: { slots: 1 } }));
    given.wait(-day).do('bob', note('T2'));
    expect(given.commits.at(-1)?.events[0]).toMatchObject({ type: 'clock.corrected', byMs: day * 1_000 });
    expect(wallIso(given.state, given.state.at)).toBe('2030-01-01T00:00:00.000Z');
    expect(given.decision('bob')).toMatchObject({ code: 'quota-exhausted', until: given.state.at + 3_600_000 });
    given.owned({ type: 'goal.amend', goal: 'parser', amendment: { quota: { allowedSlots: 9 } } });
    given.wait(99).refused('bob', 'claim-held', claim('T1'));
    given.wait(1).do('bob', claim('T1'));
    given.wait(99).refused('bob', 'reserved', reserve(['port:1']));
    given.wait(1).do('bob', reserve(['port:1']));
    given.wait(399).refused('bob', 'todo-blocked', claim('T2'));
    given.wait(1).do('bob', claim('T2'));
  });

  it('back by an hour does not free a claim, nor freeze it for longer than its ttl [R36]', () => {
    const given = givenGoal(['a', 'b']);
    given.do('ann', claim('T1', { ttlS: 100 }));
    given.unknown('ann').wait(-3_600).refused('bob', 'claim-held', claim('T1'));
    given.do('bob', note('T2'));
    given.wait(100).do('bob', claim('T1'));
  });

  it('is looked at as the next commit will correct it, so that asking and claiming agree [R28, R36]', () => {
    const given = givenGoal(['a']);
    given.do('ann', claim('T1', { ttlS: 60 }));
    given.wait(day).do('bob', writeback(undefined, { outcome: 'gap' }));
    given.wait(-day).see('ann', { beatAt: given.wall, hasStoodStill: true });
    expect(given.row('cat')).toBe('wait peers-working');
    given.refused('cat', 'claim-held', claim('T1'));
  });

  it('shows times as the wall has them now', () => {
    const given = givenGoal(['a', 'b']);
    given.wait(day).do('ann', note('T1'));
    given.wait(-day).do('ann', claim('T1', { ttlS: 60 }));
    expect(given.refused('bob', 'claim-held', claim('T1')).details.expiresAt).toBe('2030-01-01T00:01:00.000Z');
  });
});
