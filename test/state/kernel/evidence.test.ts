import { describe, expect, it } from 'vitest';
import { criteriaOf, gradeOf, staleness } from '../../../src/state/kernel/freshness.ts';
import type { Evidence } from '../../../src/state/kernel/model.ts';
import { answer, claim, evidence, finish, join, passing, update, writeback } from './acts.ts';
import { type Given, givenGoal } from './given.ts';

const done = update('T1', { state: 'done' });
const record = (given: Given, id: string) => given.state.evidence.get(id) as Evidence;

describe('a todo is done', () => {
  it('only with fresh passing evidence for each of its criteria; the refusal says what lacks what [R39]', () => {
    const given = givenGoal([{ title: 'a', acceptance: ['tests', 'docs'] }]);
    given.do('ann', claim('T1'));
    given.do('ann', evidence('T1', { criteria: ['A1'] }));
    given.do('ann', evidence('T1', { criteria: ['A2'], result: 'fail' }));
    expect(given.refused('ann', 'evidence-missing', done).details.missing).toEqual([
      { criterion: 'A2', lacks: 'passing evidence (E2 says fail)' },
    ]);
    given.do('ann', evidence('T1', { criteria: ['A2'] }));
    given.do('ann', done);
  });

  it('without criteria with at least one fresh passing evidence [R39]', () => {
    const given = givenGoal(['a']);
    given.do('ann', claim('T1'));
    given.refused('ann', 'evidence-missing', done);
    for (const result of ['fail', 'inconclusive', 'info'] as const) given.do('ann', evidence('T1', { result }));
    given.refused('ann', 'evidence-missing', done);
    given.do('ann', evidence('T1'));
    given.do('ann', done);
  });

  it('not on evidence that was about the goal’s criterion of the same number [R39]', () => {
    const given = givenGoal(['a'], { acceptance: ['fast'] });
    given.do('ann', claim('T1'));
    given.do('ann', evidence('T1', { criteria: ['A1'] }));
    given.do('ann', update('T1', { acceptance: ['right'] }));
    expect(given.refused('ann', 'evidence-missing', done).details.missing).toMatchObject([{ criterion: 'A1' }]);
    expect(criteriaOf(given.view('ann'), 'parser')).toMatchObject([{ criterion: 'A1', state: 'met' }]);
  });
});

describe('evidence goes stale', () => {
  function givenDone(given: Given, more: Parameters<typeof evidence>[1]) {
    given.do('ann', claim('T1'));
    given.do('ann', evidence('T1', more));
    expect(staleness(given.view('ann'), record(given, 'E1'))).toBeUndefined();
  }

  it('when a file it rests on changed or is gone, by its name [R39]', () => {
    const given = givenGoal(['a']);
    given.files['src/a.ts'] = 'one';
    givenDone(given, { files: ['src/a.ts'] });
    given.files['src/a.ts'] = 'two';
    expect(staleness(given.view('ann'), record(given, 'E1'))).toBe('src/a.ts changed');
    expect(given.refused('ann', 'evidence-missing', done).message).toContain('src/a.ts changed');
    given.files['src/a.ts'] = null;
    expect(staleness(given.view('ann'), record(given, 'E1'))).toBe('src/a.ts is gone');
    given.files['src/a.ts'] = 'one';
    given.do('ann', done);
  });

  it('when what a glob matches changed [R39]', () => {
    const given = givenGoal(['a']);
    given.globs['src/**'] = 'one';
    givenDone(given, { globs: ['src/**'] });
    given.globs['src/**'] = 'two';
    given.refused('ann', 'evidence-missing', done);
  });

  it('after validForS, not before [R39]', () => {
    const given = givenGoal(['a']);
    givenDone(given, { validForS: 60 });
    given.wait(60);
    expect(staleness(given.view('ann'), record(given, 'E1'))).toBeUndefined();
    given.wait(1).refused('ann', 'evidence-missing', done);
  });

  it('when it was superseded, which its author or the holder of its todo may do [R39]', () => {
    const given = givenGoal(['a', 'b']);
    given.do('ann', evidence('T1'));
    given.refused('bob', 'not-allowed', evidence('T1', { supersedes: 'E1', result: 'fail' }));
    given.refused('ann', 'bad-argument', evidence('T2', { supersedes: 'E1' }));
    given.do('bob', claim('T1'));
    given.do('bob', evidence('T1', { supersedes: 'E1', result: 'fail' }));
    expect(staleness(given.view('ann'), record(given, 'E1'))).toBe('superseded by E2');
    given.refused('bob', 'evidence-missing', done);
  });
});

describe('the grade of evidence', () => {
  it('is claimed, pinned when the server hashed what it rests on, peer, owner; nobody raises their own [R39]', () => {
    const given = givenGoal(['a']);
    given.files['a.ts'] = 'one';
    given.do('ann', evidence('T1'));
    given.do('ann', evidence('T1', { files: ['a.ts'] }));
    given.do('ann', evidence('T1', { commit: 'abc' }));
    expect(['E1', 'E2', 'E3'].map((id) => gradeOf(record(given, id)))).toEqual(['claimed', 'pinned', 'pinned']);
    given.refused('ann', 'not-allowed', evidence(undefined, { confirms: 'E1' }));
    given.do('bob', evidence(undefined, { confirms: 'E1' }));
    expect(gradeOf(record(given, 'E1'))).toBe('peer');
    given.owned({ type: 'evidence.accept', evidence: 'E1' });
    expect(gradeOf(record(given, 'E1'))).toBe('owner');
  });

  it('is not raised by another agent of the same session or host session [R39]', () => {
    const given = givenGoal(['a']);
    given.do('ann', join(), { from: { session: 's-1', hostSession: 'h-1' } });
    given.do('ann', evidence('T1'), { from: { session: 's-1', hostSession: 'h-1' } });
    const confirm = evidence(undefined, { confirms: 'E1' });
    given.refused('bob', 'not-allowed', confirm, { from: { session: 's-1' } });
    given.refused('bob', 'not-allowed', confirm, { from: { session: 's-2', hostSession: 'h-1' } });
    given.do('bob', confirm, { from: { session: 's-3', hostSession: 'h-2' } });
  });

  it('is raised without a claim, by what passed, and a failed attempt stands beside it [R39]', () => {
    const given = givenGoal(['a']);
    given.do('ann', claim('T1'));
    given.do('ann', evidence('T1'));
    given.do('bob', evidence('T1', { confirms: 'E1', result: 'fail' }));
    expect(record(given, 'E1').confirmedBy).toEqual([]);
    given.do('cat', evidence('T1', { confirms: 'E1' }));
    expect(record(given, 'E1').confirmedBy).toMatchObject([{ agent: 'cat' }]);
    given.refused('bob', 'claim-held', evidence('T1'));
  });
});

describe('evidence speaks', () => {
  it('for criteria there are, of its todo where that has some, else of the goal [R39, R24]', () => {
    const given = givenGoal([{ title: 'a', acceptance: ['own'] }, 'b'], { acceptance: ['fast', 'small'] });
    given.refused('ann', 'bad-argument', evidence('T1', { criteria: ['A2'] }));
    given.refused('ann', 'bad-argument', evidence('T2', { criteria: ['A3'] }));
    given.do('ann', evidence('T1', { criteria: ['A1'] }));
    given.do('ann', evidence('T2', { criteria: ['A2'] }));
    expect(criteriaOf(given.view('ann'), 'parser').map((one) => one.state)).toEqual(['open', 'met']);
  });

  it('for what its todo covers once that is done [R39]', () => {
    const given = givenGoal([{ title: 'a', covers: ['A1'] }], { acceptance: ['fast'] });
    given.do('ann', claim('T1'));
    given.do('ann', evidence('T1'));
    expect(criteriaOf(given.view('ann'), 'parser')[0]?.state).toBe('open');
    given.do('ann', done);
    expect(criteriaOf(given.view('ann'), 'parser')[0]?.state).toBe('met');
  });

  it('as a confirmation for nothing but what it confirms [R39]', () => {
    const given = givenGoal([{ title: 'a', acceptance: ['own'] }], { acceptance: ['fast'] });
    given.do('ann', evidence('T1', { criteria: ['A1'] }));
    given.do('bob', evidence('T1', { confirms: 'E1', criteria: ['A1'] }));
    expect(criteriaOf(given.view('ann'), 'parser')[0]?.state).toBe('open');
  });

  it('for a dropped criterion no more [R39]', () => {
    const given = givenGoal(['a'], { acceptance: ['fast', 'small'] });
    given.owned({ type: 'goal.amend', goal: 'parser', amendment: { dropAcceptance: ['A1'] } });
    given.refused('ann', 'bad-argument', evidence('T1', { criteria: ['A1'] }));
    given.do('ann', evidence('T1', { criteria: ['A2'] }));
    expect(given.gate('G1')).toMatchObject({ kind: 'completion' });
    given.owned(answer('G1'));
  });
});

describe('evidence is refused by the field', () => {
  it('when it says nothing or names what is not there [R24, R39]', () => {
    const given = givenGoal(['a']);
    expect(given.refused('ann', 'bad-argument', evidence('T1', { summary: ' ' })).details.field).toBe('summary');
    given.refused('ann', 'not-found', evidence('T9'));
    given.refused('ann', 'not-found', evidence('T1', { supersedes: 'E9' }));
    given.refused('ann', 'not-found', evidence('T1', { confirms: 'E9' }));
    given.do('ann', claim('T1'));
    const act = writeback('T1', { evidence: [passing(), passing({ summary: '' })] });
    expect(given.refused('ann', 'bad-argument', act).details.field).toBe('evidence[1].summary');
    given.refused('ann', 'evidence-missing', finish('T1', { result: 'info' }));
    expect(given.state.evidence.size).toBe(0);
  });
});
