import { describe, expect, it } from 'vitest';
import { heldBy, permit } from '../../src/state/permit.ts';
import { answer, ask, claim } from './kernel/acts.ts';
import { type Given, givenGoal } from './kernel/given.ts';

const protects = { paths: ['deploy/**'], commands: ['npm publish', '*'.concat(' --force')] };
const wall = (given: Given, deed: Parameters<typeof permit>[2], agents: readonly string[] = []) => {
  const found = permit(given.state, agents, deed);
  return found.permitted ? undefined : found.by;
};

describe('What an agent may do outside the control plane', () => {
  it('is limited by a gate while it is open, and by the owner saying no until that is lifted [R37]', () => {
    const given = givenGoal(['a']);
    given.do('ann', ask({ blocks: { todos: ['T1'] }, protects }));
    expect(wall(given, { writes: ['deploy/x'] })).toBe('gate');
    given.owner(answer('G1', 'no'));
    expect(wall(given, { writes: ['deploy/x'] })).toBe('gate');
    given.owner({ type: 'gate.lift', gate: 'G1' });
    expect(wall(given, { writes: ['deploy/x'] })).toBeUndefined();
  });

  it('is free again once the owner says yes', () => {
    const given = givenGoal(['a']);
    given.do('ann', ask({ blocks: { todos: ['T1'] }, protects }));
    expect(wall(given, { commands: ['npm publish --tag next'] })).toBe('gate');
    given.owner(answer('G1', 'yes'));
    expect(wall(given, { commands: ['npm publish --tag next'] })).toBeUndefined();
  });

  it('is limited by commands as they begin, and by what stands for any text', () => {
    const given = givenGoal(['a']);
    given.do('ann', ask({ blocks: { todos: ['T1'] }, protects }));
    for (const command of ['npm publish', 'git push --force', 'git push --force origin'])
      expect(wall(given, { commands: ['ls', command] })).toBe('gate');
    for (const command of ['npm publisher', 'npm', 'git push --forceful'])
      expect(wall(given, { commands: [command] })).toBeUndefined();
  });

  it('takes a folder that a command removes for all that lies in it, and a file for itself only', () => {
    const given = givenGoal(['a'], { scope: { denyPaths: ['a/b/secret.txt', 'keys/**/*.pem'] } });
    expect(wall(given, { touches: ['a'] })).toBe('deny-path');
    expect(wall(given, { touches: [''] })).toBe('state');
    expect(wall(given, { touches: ['keys'] })).toBe('deny-path');
    expect(wall(given, { writes: ['keys/a/b.pem'] })).toBe('deny-path');
    expect(wall(given, { writes: ['a'] })).toBeUndefined();
    expect(wall(given, { touches: ['a/b/secret.txt.bak'] })).toBeUndefined();
  });

  it('is limited by the scopes of all that its session holds together, by the goal where the todo has none', () => {
    const given = givenGoal(
      [{ title: 'a', scope: { paths: ['src'] } }, { title: 'b', scope: { paths: ['docs/*.md'] } }, 'c'],
      {
        scope: { paths: ['lib/**'] },
      },
    );
    given.do('ann', claim('T1'));
    expect(wall(given, { writes: ['src/x'] }, ['ann'])).toBeUndefined();
    expect(wall(given, { writes: ['src/x', 'docs/x.md'] }, ['ann'])).toBe('scope');
    expect(wall(given, { writes: ['docs/x.md'] }, ['bob'])).toBeUndefined();
    given.do('bob', claim('T2'));
    expect(wall(given, { writes: ['src/x', 'docs/x.md'] }, ['ann', 'bob'])).toBeUndefined();
    given.do('eve', claim('T3'));
    expect(wall(given, { writes: ['lib/x'] }, ['eve'])).toBeUndefined();
    expect(wall(given, { writes: ['src/x'] }, ['eve'])).toBe('scope');
    expect(heldBy(given.state, ['ann', 'eve']).map(({ todo }) => todo)).toEqual(['T1', 'T3']);
  });

  it('is free of the denyPaths of a goal that ended', () => {
    const given = givenGoal(['a'], { scope: { denyPaths: ['secrets'] } });
    expect(wall(given, { writes: ['secrets/x'] })).toBe('deny-path');
    given.owner({ type: 'goal.stop', goal: 'parser' });
    expect(wall(given, { writes: ['secrets/x'] })).toBeUndefined();
  });
});
