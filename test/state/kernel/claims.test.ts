import { describe, expect, it } from 'vitest';
import { challenge, claim, finish, note, update, writeback } from './acts.ts';
import { givenGoal } from './given.ts';

describe('a claim is given', () => {
  it('with the version of its commit as token, and a ttl of half an hour unless another is asked [R36]', () => {
    const given = givenGoal(['a', 'b']);
    expect(given.do('ann', claim('T1')).token).toBe(given.state.version);
    expect(given.claim('T1')).toMatchObject({ holder: 'ann', ttlS: 1_800 });
    given.do('ann', claim('T2', { ttlS: 60 }));
    expect(given.claim('T2')).toMatchObject({ ttlS: 60, token: given.state.version });
  });

  it('for the best runnable todo when none is named: the priority first, then the lower number [R35]', () => {
    const given = givenGoal(['a', 'b', { title: 'c', priority: 'P0' }, { title: 'd', priority: 'P0' }]);
    expect(['ann', 'bob', 'cat', 'dan'].map((agent) => given.do(agent, claim()).todo)).toEqual([
      'T3',
      'T4',
      'T1',
      'T2',
    ]);
  });

  it('to exactly one agent; the other learns holder, since, expiry, standing and an alternative [R35, R36]', () => {
    const given = givenGoal(['a', 'b']);
    given.do('ann', claim('T1'));
    const { details, next } = given.refused('bob', 'claim-held', claim('T1'));
    expect(details).toMatchObject({ holder: 'ann', standing: 'live', since: '2030-01-01T00:00:00.000Z' });
    expect(details.expiresAt).toBe('2030-01-01T00:30:00.000Z');
    expect(given.do('bob', { type: 'todo.claim', ...next[0]?.arguments }).todo).toBe('T2');
  });

  it('to its holder again with the same token, and its time begins anew [R36]', () => {
    const given = givenGoal(['a']);
    const { token } = given.do('ann', claim('T1', { ttlS: 100 }));
    given.wait(50);
    expect(given.do('ann', claim('T1')).token).toBe(token);
    expect(given.claim('T1')).toMatchObject({ token, ttlS: 100, renewedAt: given.wall });
  });

  it('with a higher token after every release, whoever takes it [R36]', () => {
    const given = givenGoal(['a']);
    const tokens = ['ann', 'ann', 'bob', 'ann'].map((agent) => {
      const { token = 0 } = given.do(agent, claim('T1'));
      given.do(agent, update('T1', { state: 'open' }));
      return token;
    });
    expect(tokens).toEqual([...new Set(tokens)].sort((a, b) => a - b));
  });
});

describe('a write about a claimed todo is refused', () => {
  it('as claim-held when another agent makes it, and nothing is written [R36]', () => {
    const given = givenGoal(['a']);
    given.do('ann', claim('T1'));
    const before = given.state;
    expect(given.refused('bob', 'claim-held', note('T1')).details).toMatchObject({ holder: 'ann' });
    given.refused('bob', 'claim-held', finish('T1'));
    expect(given.state).toBe(before);
  });

  it('as claim-lost when its token was released and taken again, even by the same agent [R36]', () => {
    const given = givenGoal(['a']);
    const { token } = given.do('ann', claim('T1'));
    given.do('ann', update('T1', { state: 'open' }));
    given.refused('ann', 'claim-lost', note('T1', token));
    given.do('ann', claim('T1'));
    given.refused('ann', 'claim-lost', note('T1', token));
  });

  it('as claim-lost when its holder was superseded: who holds it now, since when, why [R36]', () => {
    const given = givenGoal(['a']);
    const { token } = given.do('ann', claim('T1'));
    given.dead('ann').wait(5).do('bob', claim('T1'));
    given.see('ann', {});
    const { details, message } = given.refused('ann', 'claim-lost', writeback('T1', { token }));
    expect(details).toMatchObject({ holder: 'bob', since: '2030-01-01T00:00:05.000Z', why: 'holder-gone' });
    expect(message).toContain('bob');
    given.refused('ann', 'claim-lost', writeback('T1'));
    given.do('bob', finish('T1'));
    given.refused('ann', 'claim-lost', writeback('T1'));
  });
});

describe('a claim lives', () => {
  it('on by any write of its holder, about whatever it is [R36]', () => {
    const given = givenGoal(['a', 'b']);
    given.do('ann', claim('T1', { ttlS: 100 }));
    given.unknown('ann').wait(90).do('ann', note('T2'));
    given.wait(90).refused('bob', 'claim-held', claim('T1'));
    given.wait(11).do('bob', claim('T1'));
  });

  it('on by the heartbeat of the server that witnesses its holder [R36]', () => {
    const given = givenGoal(['a']);
    given.do('ann', claim('T1', { ttlS: 100 }));
    given.wait(10_000).refused('bob', 'claim-held', claim('T1'));
  });

  it('by its ttl alone when nothing can be known of its holder [R36]', () => {
    const given = givenGoal(['a']);
    given.do('ann', claim('T1', { ttlS: 100 }));
    given.unknown('ann').wait(99).refused('bob', 'claim-held', claim('T1'));
    given.wait(1).do('bob', claim('T1'));
    expect(given.told('ann')).toEqual(['claim-lost']);
  });

  it('on after its ttl as long as nobody took it: the next write of its holder renews it [R36]', () => {
    const given = givenGoal(['a']);
    const { token } = given.do('ann', claim('T1', { ttlS: 100 }));
    given.unknown('ann').wait(500).do('ann', note('T1', token));
    given.refused('bob', 'claim-held', claim('T1'));
    expect(given.claim('T1')?.token).toBe(token);
  });
});

describe('a claim is taken over', () => {
  it('at once from a dead holder whatever its ttl, with what it left; the takeover records what was seen [R36]', () => {
    const given = givenGoal(['a']);
    given.do('ann', claim('T1', { ttlS: 86_400 }));
    given.do('ann', note('T1'));
    given.dead('ann');
    const { token = 0 } = given.do('bob', claim('T1'));
    expect(given.claim('T1')).toMatchObject({ holder: 'bob', token });
    expect(given.todo('T1').notes).toHaveLength(1);
    const taken = given.commits.at(-1)?.events.find((event) => event.type === 'claim.taken-over');
    expect(taken).toMatchObject({ from: 'ann', to: 'bob', why: 'holder-gone', seen: { standing: 'dead' } });
    expect(given.state.notices.get('ann')).toMatchObject([{ code: 'claim-lost', todo: 'T1' }]);
  });

  it('from a living holder whose ttl ran out only after its heartbeat stood still under a watch [R36]', () => {
    const given = givenGoal(['a']);
    given.do('ann', claim('T1', { ttlS: 100 }));
    given.see('ann', { beatAt: given.wall, watchLeftS: 1.5 }).wait(100);
    const refused = given.refused('bob', 'claim-held', claim('T1'));
    expect(refused.details).toMatchObject({ standing: 'expired', retryInS: 1.5 });
    given.see('ann', { beatAt: given.commits.length, hasStoodStill: true });
    given.do('bob', claim('T1'));
    expect(given.todo('T1').lost.ann).toMatchObject({ to: 'bob', why: 'stood-still' });
  });

  it('not when a heartbeat moved meanwhile, and not before the ttl ran out however still it stood [R36]', () => {
    const given = givenGoal(['a']);
    given.do('ann', claim('T1', { ttlS: 100 }));
    given.see('ann', { beatAt: given.wall, hasStoodStill: true }).wait(99).refused('bob', 'claim-held', claim('T1'));
    given.wait(2).see('ann', { beatAt: given.wall, hasStoodStill: true }).refused('bob', 'claim-held', claim('T1'));
  });
});

describe('an idle holder is challenged', () => {
  it('by a peer, is told, and loses the todo to the challenger after the grace [R36]', () => {
    const given = givenGoal(['a']);
    given.do('ann', claim('T1'));
    given.idle('ann');
    expect(given.refused('bob', 'claim-held', claim('T1')).next[0]?.arguments).toEqual({ todo: 'T1', challenge: true });
    expect(given.do('bob', challenge('T1')).challenge).toBe(true);
    expect(given.told('ann')).toEqual(['challenged']);
    given.wait(299).refused('bob', 'claim-held', claim('T1'));
    given.wait(1).refused('cat', 'claim-held', claim('T1'));
    given.do('bob', claim('T1'));
    expect(given.todo('T1').lost.ann).toMatchObject({ to: 'bob', why: 'challenge-unanswered' });
  });

  it('and answers by any write within the grace [R36]', () => {
    const given = givenGoal(['a', 'b']);
    given.do('ann', claim('T1'));
    given.idle('ann').do('bob', challenge('T1'));
    given.wait(299).do('ann', note('T2'));
    given.wait(2).refused('bob', 'claim-held', claim('T1'));
  });

  it('never while it is awake, and once only [R36]', () => {
    const given = givenGoal(['a']);
    given.do('ann', claim('T1'));
    given.refused('bob', 'claim-held', challenge('T1'));
    given.idle('ann').do('bob', challenge('T1'));
    given.refused('cat', 'claim-held', challenge('T1'));
  });
});

describe('claiming refuses what the table of decisions refuses', () => {
  it('in its rows 3, 5 and 6, for a named todo as for the best one [R35, R28]', () => {
    const given = givenGoal(['a'], { quota: { allowedSlots: 1 } });
    const claims = [claim('T1'), claim()];
    given.owned({ type: 'goal.pause', goal: 'parser' });
    for (const act of claims) given.refused('ann', 'goal-paused', act);
    given.owned({ type: 'goal.resume', goal: 'parser' });
    given.do('ann', { type: 'gate.ask', question: 'Go?', blocks: { goal: true } });
    for (const act of claims) given.refused('ann', 'gate-pending', act);
    given.owned({ type: 'gate.answer', gate: 'G1', option: 'yes' });
    given.do('ann', writeback(undefined, { outcome: 'gap', spend: { slots: 1 } }));
    for (const act of claims) given.refused('ann', 'quota-exhausted', act);
  });

  it('in its row 4, until the earlier turn is settled [R28, R35]', () => {
    const given = givenGoal(['a', 'b']);
    given.do('ann', claim('T1'));
    given.dead('ann');
    const from = { session: 's-new' };
    given.refused('ann', 'turn-unsettled', claim('T2'), { from });
    given.do('ann', writeback('T1'), { from });
    expect(given.do('ann', claim('T2'), { from }).todo).toBe('T2');
  });

  it('in its row 2, when the goal has ended [R35]', () => {
    const given = givenGoal(['a']);
    given.owned({ type: 'goal.stop', goal: 'parser' });
    given.refused('ann', 'goal-stopped', claim('T1'));
  });
});
