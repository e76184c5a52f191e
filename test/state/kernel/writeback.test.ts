import { describe, expect, it } from 'vitest';
import { budgetOf } from '../../../src/state/kernel/budget.ts';
import { ask, claim, finish, passing, writeback } from './acts.ts';
import { givenGoal } from './given.ts';

describe('a writeback', () => {
  it('closes a turn in one commit: evidence, state, successors and spend [R28]', () => {
    const given = givenGoal(['a']);
    given.do('ann', claim('T1'));
    const { version } = given.state;
    const result = given.do(
      'ann',
      writeback('T1', {
        outcome: 'primary',
        todoState: 'done',
        evidence: [passing(), passing({ kind: 'diff' })],
        successors: [
          { title: 'b', after: ['T1'] },
          { title: 'c', ref: 'c' },
          { title: 'd', after: ['c'] },
        ],
        spend: { slots: 3 },
      }),
    );
    expect(result).toMatchObject({
      todo: 'T1',
      evidence: ['E1', 'E2'],
      successors: ['T2', 'T3', 'T4'],
      spent: { slots: 3 },
    });
    expect(given.state.version).toBe(version + 1);
    expect([given.todo('T1').state, given.todo('T4').after]).toEqual(['done', ['T3']]);
    expect(budgetOf(given.goal(), given.wall).slots.spent).toBe(3);
  });

  it.each([
    ['a bad piece of evidence', { evidence: [passing(), passing({ criteria: ['A9'] })] }, 'bad-argument'],
    ['a bad successor', { successors: [{ title: 'b' }, { title: 'c', after: ['T9'] }] }, 'not-found'],
    ['a spend over the budget', { spend: { slots: 1e6 } }, 'overspent'],
    ['evidence that is missing', { todoState: 'done' as const }, 'evidence-missing'],
    ['a bad handoff', { handoff: { to: {}, summary: 's' } }, 'bad-argument'],
    [
      'a handoff beside a state',
      { handoff: { to: { any: true }, summary: 's' }, todoState: 'open' as const },
      'bad-argument',
    ],
    ['an empty summary', { summary: ' ' }, 'bad-argument'],
  ] as const)('lands whole or not at all: %s', (_, more, code) => {
    const given = givenGoal(['a']);
    given.do('ann', claim('T1'));
    const before = given.state;
    given.refused(
      'ann',
      code,
      writeback('T1', { evidence: [passing({ result: 'info' })], spend: { slots: 1 }, ...more } as never),
    );
    expect(given.state).toBe(before);
  });

  it('needs a todo unless its outcome is gap, quiet or replan', () => {
    const given = givenGoal(['a']);
    for (const outcome of ['primary', 'progress', 'surface', 'blocked'] as const) {
      expect(given.refused('ann', 'bad-argument', writeback(undefined, { outcome })).details.field).toBe('todo');
    }
    given.do('ann', writeback(undefined, { outcome: 'gap' }));
    given.do('ann', writeback(undefined, { outcome: 'quiet' }));
    given.do('ann', writeback(undefined, { outcome: 'replan', successors: [{ title: 'b' }] }));
    expect(
      given.refused('ann', 'bad-argument', writeback(undefined, { outcome: 'gap', todoState: 'done' })).details.field,
    ).toBe('todoState');
  });

  it('is the holder’s alone [R36]', () => {
    const given = givenGoal(['a']);
    given.refused('ann', 'not-allowed', writeback('T1'));
    given.do('ann', claim('T1'));
    given.refused('bob', 'claim-held', writeback('T1'));
  });

  it('lands while the goal is paused, and what a gate holds is not finished by it [R37]', () => {
    const given = givenGoal(['a']);
    given.do('ann', claim('T1'));
    given.owned({ type: 'goal.pause', goal: 'parser' });
    given.do('ann', writeback('T1'));
    given.owned({ type: 'goal.resume', goal: 'parser' });
    given.do('ann', ask({ blocks: { todos: ['T1'] } }));
    given.refused('ann', 'gate-pending', finish('T1'));
    given.do('ann', writeback('T1', { outcome: 'blocked', todoState: 'blocked', resumeWhen: { gateAnswered: 'G1' } }));
    expect(given.todo('T1')).toMatchObject({ state: 'blocked', reason: 'went on' });
  });
});
