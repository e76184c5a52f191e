import { describe, expect, it } from 'vitest';
import { add, claim, join, note, update, writeback } from './acts.ts';
import { givenGoal } from './given.ts';

describe('an agent id', () => {
  it('is one whatever its case and blanks [R29]', () => {
    const given = givenGoal(['a']);
    given.do('ann', claim('T1'));
    for (const agent of ['Ann', ' ANN ', 'ann']) given.do('ann', note('T1'), { from: { agent } });
    expect([...given.state.agents.keys()].sort()).toEqual(['ann', 'starter']);
  });

  it('that is no name is refused by the field [R29, R24]', () => {
    const given = givenGoal();
    for (const agent of ['', '  ', 'a b', '$1', 'x'.repeat(65), '\u0000']) {
      expect(given.refused('ann', 'bad-argument', join(), { from: { agent } }).details.field).toBe('agent');
    }
  });

  it('is the session’s own name at the first write, without joining before [R29]', () => {
    const given = givenGoal(['a']);
    const from = { agent: undefined, fallback: 'codex-4f2a', session: 's-9' };
    expect(given.do('', claim('T1'), { from }).todo).toBe('T1');
    expect(given.state.agents.get('codex-4f2a')).toMatchObject({ session: 's-9' });
  });

  it('must be said when several joined one connection [R29]', () => {
    const given = givenGoal(['a']);
    for (const agent of ['ann', 'bob']) given.do(agent, join(), { from: { session: 's-1' } });
    expect(
      given.refused('', 'bad-argument', claim('T1'), { from: { agent: undefined, session: 's-1' } }).details,
    ).toEqual({ field: 'agent' });
    given.do('bob', claim('T1'), { from: { session: 's-1' } });
    expect(given.claim('T1')?.holder).toBe('bob');
  });

  it('keeps the capabilities it joined with, in one spelling', () => {
    const given = givenGoal([{ title: 'a', capabilities: ['Browser'] }]);
    given.refused('ann', 'todo-blocked', claim('T1'));
    given.do('ann', join({ capabilities: [' BROWSER '] }));
    expect(given.do('ann', claim('T1')).todo).toBe('T1');
  });
});

describe('a name that a session holds', () => {
  const from = { session: 's-2' };

  it('is refused while that session lives: its host, pid and last activity, and a free name [R29, R26]', () => {
    const given = givenGoal();
    given.do('ann', join());
    given.see('ann', { pid: 4_711, lastActivityAt: given.wall });
    const { details, next } = given.refused('ann', 'agent-in-use', join(), { from });
    expect(details).toMatchObject({ agent: 'ann', host: 'test', pid: 4_711, lastActivity: '2030-01-01T00:00:00.000Z' });
    given.do(String(next[0]?.arguments.agent), join(), { from });
  });

  it.each([
    ['is dead', { standing: 'dead' }],
    ['is idle', { isIdle: true }],
  ] as const)('is taken over when that session %s, and the old one is fenced [R36]', (_, sighting) => {
    const given = givenGoal(['a']);
    const { token } = given.do('ann', claim('T1'));
    given.see('ann', sighting).do('ann', join(), { from });
    expect(given.claim('T1')).toMatchObject({ holder: 'ann', session: 's-2', token });
    const refused = given.refused('ann', 'claim-lost', note('T1', token));
    expect(refused.details).toMatchObject({ holder: 'ann' });
  });

  it('is taken over by a restarted server of the same host session, and the old one stays fenced [R36]', () => {
    const given = givenGoal(['a']);
    const old = { session: 's-1', hostSession: 'h-1' };
    given.do('ann', claim('T1'), { from: old });
    given.do('ann', join(), { from: { session: 's-2', hostSession: 'h-1' } });
    given.refused('ann', 'claim-lost', note('T1'), { from: old });
    given.refused('ann', 'agent-in-use', add('b'), { from: old });
    expect(given.claim('T1')?.session).toBe('s-2');
  });

  it('does not let a fenced session go on silently as somebody else [R36]', () => {
    const given = givenGoal(['a']);
    const old = { session: 's-1' };
    given.do('worker', join(), { from: old });
    given.do('worker', claim('T1'), { from: old });
    given.dead('worker').do('worker', join(), { from });
    const nameless = { ...old, agent: undefined, fallback: 'codex-4f2a' };
    given.refused('', 'claim-lost', note('T1'), { from: nameless });
    given.refused('', 'agent-in-use', add('b'), { from: nameless });
    given.do('worker-2', join(), { from: old });
    given.do('', add('b'), { from: nameless });
    expect(given.todo('T2').addedBy).toBe('worker-2');
  });

  it('is nobody’s in particular when it was seen by a command line only', () => {
    const given = givenGoal(['a']);
    given.do('ann', claim('T1'), { from: { session: 'cli-ann', sessionKind: 'cli' } });
    given.unknown('ann').do('ann', join(), { from });
    expect(given.state.agents.get('ann')?.session).toBe('s-2');
  });

  it('is not lent to a command line while it is live [R29]', () => {
    const given = givenGoal();
    given.do('ann', join());
    given.refused('ann', 'agent-in-use', add('b'), { from: { session: 'cli-ann', sessionKind: 'cli' } });
  });

  it('whose session cannot be known of frees after the idle time', () => {
    const given = givenGoal();
    given.do('ann', join());
    given.unknown('ann').wait(3_600).refused('ann', 'agent-in-use', join(), { from });
    given.wait(1).do('ann', join(), { from });
  });
});

describe('an unsettled turn', () => {
  it.each([
    ['a writeback', writeback('T1')],
    ['releasing it', update('T1', { state: 'open' })],
  ])('is settled by %s [R28]', (_, act) => {
    const given = givenGoal(['a', 'b']);
    given.do('ann', claim('T1'));
    given.dead('ann');
    const from = { session: 's-new' };
    given.do('ann', join(), { from });
    expect(given.decision('ann')).toMatchObject({ decision: 'settle', code: 'turn-unsettled', todo: { todo: 'T1' } });
    given.do('ann', act, { from });
    expect(given.decision('ann').code).not.toBe('turn-unsettled');
  });

  it('is none when the claim was lost meanwhile: that is a notice [R28, R36]', () => {
    const given = givenGoal(['a', 'b']);
    given.do('ann', claim('T1'));
    given.dead('ann').do('bob', claim('T1'));
    given.do('ann', join(), { from: { session: 's-new' } });
    expect(given.row('ann')).toBe('run todo-ready');
    expect(given.told('ann')).toEqual(['claim-lost']);
  });
});
