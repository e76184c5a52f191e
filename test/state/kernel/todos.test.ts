import { describe, expect, it } from 'vitest';
import { add, ask, claim, evidence, finish, join, note, passing, update, writeback } from './acts.ts';
import { Given, givenGoal } from './given.ts';

describe('todos', () => {
  it('are numbered through the whole workspace', () => {
    const given = givenGoal(['a']);
    given.do('ann', { type: 'goal.start', goal: 'other', objective: 'Else', todos: [{ title: 'b' }] });
    expect(given.do('ann', { ...add('c', 'd'), goal: 'parser' }).todos).toEqual(['T3', 'T4']);
  });

  it('are added whole or not at all: an unknown id, an unknown criterion, a bad path, a cycle', () => {
    const given = givenGoal(['a'], { acceptance: ['fast'] });
    const before = given.state;
    given.refused('ann', 'not-found', add('b', { title: 'c', after: ['T9'] }));
    given.refused('ann', 'not-found', add('b', { title: 'c', parent: 'T9' }));
    given.refused('ann', 'bad-argument', add('b', { title: 'c', covers: ['A2'] }));
    given.refused('ann', 'bad-argument', add('b', { title: 'c', scope: { paths: ['/etc'] } }));
    given.refused('ann', 'bad-argument', add('b', { title: '  ' }));
    given.refused('ann', 'bad-argument', add('b', { title: 'c', kind: 'monitor' }));
    given.refused('ann', 'bad-argument', add('b', { title: 'c', everyS: 5 }));
    given.refused(
      'ann',
      'bad-argument',
      add({ title: 'x', ref: 'x', after: ['y'] }, { title: 'y', ref: 'y', after: ['x'] }),
    );
    expect(given.state).toBe(before);
  });

  it('point at others of the same call by ref, in after, parent and resumeWhen', () => {
    const given = givenGoal([
      { title: 'a', ref: 'first' },
      { title: 'b', after: ['first'], parent: 'first', ref: 'second' },
      { title: 'c', resumeWhen: { todoDone: 'second' } },
    ]);
    expect(given.todo('T2')).toMatchObject({ after: ['T1'], parent: 'T1' });
    expect(given.todo('T3')).toMatchObject({ state: 'deferred', resumeWhen: { todoDone: 'T2' } });
  });

  it('refuse a cycle by after, by parent, and by what they wait for, when they are changed [R36]', () => {
    const given = givenGoal(['a', { title: 'b', after: ['T1'] }, { title: 'c', after: ['T2'], parent: 'T1' }]);
    given.refused('ann', 'bad-argument', update('T1', { after: ['T3'] }));
    given.refused('ann', 'bad-argument', update('T1', { after: ['T1'] }));
    given.refused('ann', 'bad-argument', update('T1', { parent: 'T3' }));
    given.refused('ann', 'bad-argument', update('T1', { state: 'deferred', resumeWhen: { todoDone: 'T3' } }));
    given.refused('ann', 'bad-argument', update('T1', { state: 'blocked', resumeWhen: { todoDone: 'T1' } }));
    given.refused('ann', 'bad-argument', add({ title: 'd', ref: 'd', resumeWhen: { todoDone: 'd' } }));
    expect(given.todo('T1')).toMatchObject({ state: 'open', after: [] });
  });

  it('begin when everything in after is done, and not when it was dropped', () => {
    const given = givenGoal(['a', 'b', { title: 'c', after: ['T1', 'T2'] }]);
    given.do('ann', claim('T1'));
    given.do('ann', finish('T1'));
    expect(given.refused('ann', 'todo-blocked', claim('T3')).details).toEqual({ blockedBy: [{ todo: 'T2' }] });
    given.do('ann', claim('T2'));
    given.do('ann', update('T2', { state: 'dropped', reason: 'not needed' }));
    given.refused('ann', 'todo-blocked', claim('T3'));
    given.do('ann', update('T3', { after: ['T1'] }));
    given.do('ann', claim('T3'));
  });

  it('go only to agents that offer their capabilities and are not excluded', () => {
    const given = givenGoal([{ title: 'a', capabilities: ['browser'], excludeAgents: ['ANN'] }]);
    given.do('ann', join({ capabilities: ['browser'] }));
    given.refused('ann', 'todo-blocked', claim('T1'));
    given.refused('bob', 'todo-blocked', claim('T1'));
    given.do('bob', join({ capabilities: ['browser'] }));
    given.do('bob', claim('T1'));
  });

  it('stay inside what the goal lets anybody touch', () => {
    const given = givenGoal([], { scope: { denyPaths: ['secrets/**'] } });
    given.refused('ann', 'not-allowed', add({ title: 'a', scope: { paths: ['secrets/prod.env'] } }));
    given.do('ann', add({ title: 'a', scope: { paths: ['src/**'] } }));
  });
});

describe('a todo is closed', () => {
  it('by its holder alone [R36, R39]', () => {
    const given = givenGoal(['a']);
    given.do('ann', evidence('T1'));
    given.refused('ann', 'not-allowed', update('T1', { state: 'done' }));
    given.refused('ann', 'not-allowed', update('T1', { state: 'dropped', reason: 'no' }));
    given.do('ann', claim('T1'));
    given.do('ann', update('T1', { state: 'done' }));
    expect(given.todo('T1')).toMatchObject({ state: 'done' });
    expect(given.claim('T1')).toBeUndefined();
  });

  it('for good', () => {
    const given = givenGoal(['a']);
    given.do('ann', claim('T1'));
    given.do('ann', finish('T1'));
    for (const state of ['open', 'done', 'blocked', 'deferred', 'dropped'] as const) {
      given.refused('ann', 'not-allowed', update('T1', { state, reason: 'x' }));
    }
    given.refused('ann', 'not-allowed', update('T1', { title: 'b' }));
    given.refused('ann', 'todo-blocked', claim('T1'));
  });

  it('as dropped only with the reason', () => {
    const given = givenGoal(['a']);
    given.do('ann', claim('T1'));
    expect(given.refused('ann', 'bad-argument', update('T1', { state: 'dropped' })).details.field).toBe('reason');
  });
});

describe('a blocked or deferred todo opens by itself', () => {
  it('when the todo it waits for is done, also one of another goal', () => {
    const given = givenGoal(['a', 'b']);
    given.do('ann', { type: 'goal.start', goal: 'other', objective: 'Else', todos: [{ title: 'c' }] });
    for (const todo of ['T2', 'T3'])
      given.do('ann', update(todo, { state: 'deferred', resumeWhen: { todoDone: 'T1' } }));
    given.do('ann', claim('T1'));
    given.do('ann', finish('T1'));
    expect([given.todo('T2').state, given.todo('T3').state]).toEqual(['open', 'open']);
  });

  it('when the gate it waits for is answered', () => {
    const given = givenGoal(['a']);
    given.do('ann', ask());
    given.do('ann', update('T1', { state: 'blocked', reason: 'needs a word', resumeWhen: { gateAnswered: 'G1' } }));
    given.owned({ type: 'gate.answer', gate: 'G1', option: 'yes' });
    expect(given.todo('T1').state).toBe('open');
  });

  it('also when the answer is no, unless that no is about itself [R37]', () => {
    const given = givenGoal(['a', 'b']);
    given.do('ann', { type: 'gate.ask', question: 'Do a?', blocks: { todos: ['T1'] } });
    for (const todo of ['T1', 'T2']) {
      given.do('ann', update(todo, { state: 'deferred', reason: 'needs a word', resumeWhen: { gateAnswered: 'G1' } }));
    }
    given.owned({ type: 'gate.answer', gate: 'G1', option: 'no' });
    expect([given.todo('T1').state, given.todo('T2').state]).toEqual(['blocked', 'open']);
  });

  it('when its time has come: it can be claimed, and the next commit shows it open', () => {
    const given = givenGoal(['a', 'b']);
    given.do('ann', update('T1', { state: 'deferred', resumeWhen: { at: '2030-01-01T01:00:00Z' } }));
    expect(given.refused('ann', 'todo-blocked', claim('T1')).details.until).toBe('2030-01-01T01:00:00.000Z');
    given.wait(3_600);
    expect(given.decision('ann')).toMatchObject({ code: 'todo-ready', todo: { todo: 'T1' } });
    given.do('bob', note('T2'));
    expect(given.todo('T1').state).toBe('open');
  });

  it('in the same commit if that is so already', () => {
    const given = givenGoal(['a']);
    given.do('ann', claim('T1'));
    given.do('ann', finish('T1'));
    given.do('ann', add({ title: 'b', resumeWhen: { todoDone: 'T1' } }));
    expect(given.todo('T2').state).toBe('open');
  });

  it('never when it waits for somebody to open it', () => {
    const given = givenGoal(['a', 'b']);
    given.do('ann', update('T1', { state: 'deferred', resumeWhen: { manual: true } }));
    given.wait(1e6).do('ann', note('T2'));
    given.refused('ann', 'todo-blocked', claim('T1'));
    given.do('bob', update('T1', { state: 'open' }));
    given.do('ann', claim('T1'));
  });

  it('and needs to say what it waits for', () => {
    const given = givenGoal(['a']);
    expect(given.refused('ann', 'bad-argument', update('T1', { state: 'blocked' })).details.field).toBe('reason');
    given.refused('ann', 'not-found', update('T1', { state: 'blocked', resumeWhen: { todoDone: 'T9' } }));
    given.refused('ann', 'not-found', update('T1', { state: 'blocked', resumeWhen: { gateAnswered: 'G9' } }));
    given.refused('ann', 'bad-argument', update('T1', { state: 'blocked', resumeWhen: { at: 'soon' } }));
  });
});

describe('criteria of a todo are only added', () => {
  it('and an update that leaves one out is refused [R39]', () => {
    const given = givenGoal([{ title: 'a', acceptance: ['tests', 'docs'] }]);
    expect(given.refused('ann', 'not-allowed', update('T1', { acceptance: ['tests'] })).details).toMatchObject({
      field: 'acceptance',
      criterion: 'A2',
    });
    given.do('ann', update('T1', { acceptance: ['bench', 'docs', 'tests'] }));
    expect(given.todo('T1').acceptance).toMatchObject([
      { id: 'A1', text: 'tests' },
      { id: 'A2' },
      { id: 'A3', text: 'bench' },
    ]);
  });
});

describe('an update', () => {
  it('that changes nothing is refused, also as the first write of a session', () => {
    const given = givenGoal(['a']);
    given.refused('new', 'bad-argument', update('T1', {}));
    given.refused('new', 'bad-argument', update('T1', { note: ' ' }));
    expect(given.state.agents.has('new')).toBe(false);
  });

  it('that says what to wait for without a state that waits is refused, not half obeyed [R24]', () => {
    const given = givenGoal(['a', 'b']);
    const refused = given.refused('ann', 'bad-argument', update('T1', { note: 'x', resumeWhen: { todoDone: 'T2' } }));
    expect(refused.details.field).toBe('resumeWhen');
  });

  it('of everything at once lands whole or not at all', () => {
    const given = givenGoal(['a']);
    given.do('ann', claim('T1'));
    const before = given.state;
    given.refused('ann', 'evidence-missing', update('T1', { title: 'b', note: 'x', renew: true, state: 'done' }));
    expect(given.state).toBe(before);
  });

  it('renews only for the holder', () => {
    const given = givenGoal(['a']);
    given.refused('ann', 'not-allowed', update('T1', { renew: true }));
    given.do('ann', claim('T1'));
    given.wait(60).do('ann', update('T1', { renew: true }));
    expect(given.claim('T1')?.renewedAt).toBe(given.wall);
  });
});

describe('a goal', () => {
  it('of the same objective again is the same goal; of another under its name it is refused', () => {
    const given = givenGoal(['a']);
    const again = { type: 'goal.start', objective: 'Make the parser fast' } as const;
    expect(given.do('ann', again)).toMatchObject({ goal: 'parser', reused: true });
    given.refused('ann', 'goal-exists', { ...again, goal: 'Parser', objective: 'Else' });
    expect(given.state.goals.size).toBe(1);
  });

  it('is meant by a call that names none: the only live one, else the one that ended last', () => {
    const given = new Given();
    given.refused('ann', 'no-goal', add('x'));
    for (const goal of ['one', 'two']) given.do('ann', { type: 'goal.start', goal, objective: goal });
    expect(given.refused('ann', 'goal-ambiguous', add('x')).details.goals).toEqual(['one', 'two']);
    given.owned({ type: 'goal.stop', goal: 'one' });
    given.do('ann', add('x'));
    expect(given.todo('T1').goal).toBe('two');
    given.owned({ type: 'goal.stop', goal: 'two' });
    given.owned({ type: 'goal.stop', goal: 'two' });
    expect(given.goal().goal).toBe('two');
    given.refused('ann', 'not-found', { ...add('x'), goal: 'three' });
  });

  it('that ended takes nothing more', () => {
    const given = givenGoal(['a', { title: 'm', kind: 'monitor', everyS: 60 }]);
    given.do('ann', claim('T1'));
    given.do('ann', claim('T2'));
    given.owned({ type: 'goal.stop', goal: 'parser' });
    given.refused('ann', 'goal-stopped', add('b'));
    given.refused('ann', 'goal-stopped', note('T1'));
    given.refused('ann', 'goal-stopped', evidence('T1'));
    given.refused('ann', 'goal-stopped', writeback('T1', { evidence: [passing()] }));
    given.refused('ann', 'goal-stopped', ask());
    given.refused('ann', 'goal-stopped', { type: 'handoff', todo: 'T1', to: { any: true }, summary: 's' });
    given.refused('ann', 'goal-stopped', { type: 'monitor.report', todo: 'T2', changed: false });
  });

  it('with numbers in its quota that cannot be meant is refused by the field [R24]', () => {
    const given = new Given();
    const refused = given.refused('ann', 'bad-argument', { type: 'goal.start', objective: 'x', quota: { compute: 2 } });
    expect(refused.details.field).toBe('quota.compute');
  });
});
