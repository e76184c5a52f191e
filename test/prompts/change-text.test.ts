import { describe, expect, it } from 'vitest';
import { changeLines, notYetIn } from '../../src/prompts/change-diff.ts';
import { changeOf } from '../../src/prompts/change-text.ts';

describe("the owner's words for a change", () => {
  it.each([
    ['Support CSV and TSV', { objective: 'Support CSV and TSV' }],
    ['Support CSV: all of it', { objective: 'Support CSV: all of it' }],
    ['objective: a\ntitle = b', { objective: 'a', title: 'b' }],
    ['add: it is quick\ncriterion: it is small', { addAcceptance: ['it is quick', 'it is small'] }],
    ['drop A2, a3', { dropAcceptance: ['A2', 'A3'] }],
    ['paths: src/** test/**\ndeny: dist/**', { scope: { paths: ['src/**', 'test/**'], denyPaths: ['dist/**'] } }],
    ['usd: 5\nallowedslots=20', { quota: { usd: 5, allowedSlots: 20 } }],
    ['non-goals: Excel', { nonGoals: ['Excel'] }],
    ['{"quota":{"usd":"5"}}', { quota: { usd: 5 } }],
  ])('%j are read as exactly that change', (words, change) => {
    expect(changeOf(words)).toEqual(change);
  });

  it.each(['usd: plenty', '{"objective": 5}', '{broken', 'compute: 2', `objective: ${'x'.repeat(8_001)}`])(
    '%.20j are refused, never guessed at [R24]',
    (words) => {
      expect(changeOf(words)).toMatch(/cannot be read/);
    },
  );

  it('leave out what the goal has already, so that saying it twice changes it once', () => {
    const goal = {
      goal: 'g',
      title: 'T',
      objective: 'O',
      objectiveVersion: 1,
      status: 'active',
      acceptance: [
        { id: 'A1', text: 'one', state: 'open' },
        { id: 'A2', text: 'two', state: 'dropped' },
      ],
      nonGoals: [],
      scope: { paths: ['src/**'], denyPaths: [], resources: [] },
      quota: { usd: 5 },
    };
    const change = {
      objective: 'O',
      addAcceptance: ['one', 'three'],
      dropAcceptance: ['A1', 'A2'],
      scope: { paths: ['src/**'], denyPaths: ['dist/**'] },
      quota: { usd: 5, tokens: 7 },
    };
    const left = notYetIn(goal, change);
    expect(left).toEqual({
      addAcceptance: ['three'],
      dropAcceptance: ['A1'],
      scope: { denyPaths: ['dist/**'] },
      quota: { tokens: 7 },
    });
    expect(changeLines(goal, left)).toEqual([
      'new criterion: three',
      'drop criterion A1: one',
      'scope denyPaths: none → dist/**',
      'quota tokens: none → 7',
    ]);
  });
});
