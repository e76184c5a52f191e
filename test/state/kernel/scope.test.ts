import fc from 'fast-check';
import picomatch from 'picomatch';
import { describe, expect, it } from 'vitest';
import { globsOverlap, normalizeGlob } from '../../../src/state/kernel/scope.ts';

/** Every path of up to six names over a small alphabet: if two of the generated globs share a path, they share one of these. */
const names = ['a', 'b', 'ab'];
const paths: string[] = [];
for (
  let deep = names;
  (deep[0] ?? '').length <= 11;
  deep = deep.flatMap((path) => names.map((name) => `${path}/${name}`))
) {
  paths.push(...deep);
}

const segment = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('a', 'b', 'ab') },
  { weight: 3, arbitrary: fc.constantFrom('*', 'a*', '*b', '?', 'a?', '{a,b}', '{b,ab}') },
  { weight: 2, arbitrary: fc.constant('**') },
);
const glob = fc.array(segment, { minLength: 1, maxLength: 3 }).map((segments) => segments.join('/'));

/**
 * As another library reads globs, plus two rules of ours: a plain last name stands for the folder's contents too, and
 * a closing `**` for the folder itself (which that library holds for `a/**` but not for `?/**`).
 */
function matcher(text: string): (path: string) => boolean {
  const folder = text.replace(/(\/\*\*)+$/, '');
  const isPlain = !/[*?]/.test(text.split('/').at(-1) ?? '');
  const is = picomatch([text, folder, ...(isPlain ? [`${text}/**`] : [])], { dot: true });
  return (path) => is(path);
}

describe('two globs overlap', () => {
  it('exactly when there is a path that both match, as brute force over a small alphabet finds [R36]', () => {
    fc.assert(
      fc.property(glob, glob, (left, right) => {
        const [inLeft, inRight] = [matcher(left), matcher(right)];
        const shared = paths.find((path) => inLeft(path) && inRight(path));
        expect(globsOverlap(left, right), `${left} and ${right}: ${shared ?? 'no path'}`).toBe(shared !== undefined);
      }),
      { numRuns: 500 },
    );
  });

  it('whichever comes first', () => {
    fc.assert(fc.property(glob, glob, (left, right) => globsOverlap(left, right) === globsOverlap(right, left)));
  });

  it.each([
    ['src/**', 'src/a/b.ts', true],
    ['src', 'src/a/b.ts', true],
    ['src/*.ts', 'src/a/b.ts', false],
    ['src/**/test', 'src/test/x.ts', true],
    ['**/*.md', 'docs/**', true],
    ['docs/*.md', 'src/**', false],
    ['src/[ab].ts', 'src/a.ts', true],
    ['src/{a,b}/*.ts', 'src/c/x.ts', false],
    ['srcs/**', 'src/**', false],
    ['**', 'x', true],
  ])('%s and %s: %s', (left, right, is) => {
    expect(globsOverlap(left, right)).toBe(is);
  });

  it('where the pattern is too wild to tell: a false yes delays work, a false no lets agents collide', () => {
    expect(globsOverlap('{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}', 'zzz')).toBe(true);
    expect(globsOverlap('src/!(x)', 'src/a')).toBe(true);
    expect(globsOverlap('src/@(a|b)', 'src/a')).toBe(true);
    expect(globsOverlap('src/{a,{b,c}}', 'src/c')).toBe(true);
    expect(globsOverlap('{1..3}.txt', '2.txt')).toBe(true);
  });
});

describe('a glob has one spelling', () => {
  it.each([
    ['./src//a/', 'src/a'],
    ['src\\a', 'src/a'],
    ['.', '**'],
  ])('%s is %s', (text, glob) => {
    expect(normalizeGlob(text)).toEqual({ glob });
  });

  it.each(['/etc', 'C:\\x', '../x', 'a/../b', '!src', ' '])(
    '%s is refused, since it names nothing of the workspace',
    (text) => {
      expect(normalizeGlob(text)).toHaveProperty('problem');
    },
  );
});
