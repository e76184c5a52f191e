import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { globDifference } from '../../../src/state/evidence-sources/glob-difference.ts';
import { type HashedGlob, hashGlob } from '../../../src/state/evidence-sources/hash-glob.ts';
import { put, sha256, workspaceWith } from './temp.ts';

async function hashed(root: string, glob: string, limits = {}): Promise<HashedGlob> {
  const result = await hashGlob(root, glob, { limits });
  if ('problem' in result) throw new Error(result.message);
  return result;
}

async function paths(root: string, glob: string): Promise<readonly string[]> {
  return (await hashed(root, glob)).files.map(({ path }) => path);
}

test('the digest is that of the sorted list of paths and digests [R39]', async () => {
  const root = workspaceWith({ 'src/b.ts': 'b', 'src/a.ts': 'a', 'src/é.ts': 'é', 'src/z/Z.ts': 'z', 'src/x.js': '' });
  const expected = ['src/a.ts:a', 'src/b.ts:b', 'src/z/Z.ts:z', 'src/é.ts:é'].map(
    (line) => line.split(':') as [string, string],
  );
  expect(await hashed(root, 'src/**/*.ts')).toEqual({
    glob: 'src/**/*.ts',
    sha256: sha256(expected.map(([path, content]) => `${path}\0${sha256(content)}\n`).join('')),
    count: 4,
    files: expected.map(([path, content]) => ({ path, sha256: sha256(content) })),
  });
});

test('dot files count; .git, .loopx and unnamed node_modules do not [R39]', async () => {
  const files = [
    '.env',
    'a',
    '.git/HEAD',
    'sub/.git',
    'sub/.git2',
    '.loopx/log/1',
    'node_modules/m/a',
    'sub/node_modules/m/a',
  ];
  const root = workspaceWith(Object.fromEntries(files.map((path) => [path, path])));
  expect(await paths(root, '**')).toEqual(['.env', 'a', 'sub/.git2']);
  expect(await paths(root, 'node_modules/**')).toEqual(['node_modules/m/a']);
});

test('a glob finds nothing through links, and one that itself names a link out of the workspace is refused [R26]', async () => {
  const root = workspaceWith({ 'a/in': 'in', '../outside/out': 'o' });
  symlinkSync('../outside', join(root, 'b'));
  symlinkSync('.', join(root, 'again'));
  symlinkSync('in', join(root, 'a', 'link'));
  symlinkSync('../../outside/out', join(root, 'a', 'out'));
  expect(await paths(root, '**')).toEqual(['a/in']);
  expect(await hashGlob(root, 'b/*')).toMatchObject({ problem: 'outside' });
});

describe('what is refused', () => {
  test.each([
    ['', 'bad-path'],
    ['x'.repeat(301), 'bad-path'],
    ['!src/**', 'bad-path'],
    ['/etc/*', 'outside'],
    ['../*', 'outside'],
    ['src/../../*', 'outside'],
    ['{..,src}/*', 'outside'],
    ['.git/**', 'private'],
    ['.loopx/**', 'private'],
    ['nothing/*.here', 'missing'],
  ])('%j is %s [R26]', async (glob, problem) => {
    const root = workspaceWith({ 'src/a': 'a', '../outside': 'o', '.git/HEAD': '' });
    expect(await hashGlob(root, glob)).toMatchObject({ problem });
  });

  test('more files, a larger file, or more bytes than the limits say [R26]', async () => {
    const root = workspaceWith({ a: 'aaaa', b: 'bbbb', c: 'cccc' });
    const limited = (limits: object) => hashGlob(root, '*', { limits });
    expect(await limited({ globFilesMax: 2 })).toMatchObject({
      problem: 'too-many',
      message: expect.stringContaining('3'),
    });
    expect(await limited({ fileSizeBytesMax: 3 })).toMatchObject({ problem: 'too-large', path: 'a' });
    expect(await limited({ globSizeBytesMax: 11 })).toMatchObject({ problem: 'too-large', path: '*' });
    expect(await limited({ globSizeBytesMax: 12, globFilesMax: 3 })).toMatchObject({ count: 3 });
  });
});

describe('the reason for staleness names a file', () => {
  const files = { 'src/a': 'a', 'src/b': 'b', 'src/c': 'c' };

  test.each([
    ['changed', 'src/b', (root: string) => put(root, 'src/b', 'B')],
    ['removed', 'src/a', (root: string) => rmSync(join(root, 'src/a'))],
    ['added', 'src/bb', (root: string) => put(root, 'src/bb', '')],
  ])('%s %s [R39]', async (what, path, change) => {
    const root = workspaceWith(files);
    const before = await hashed(root, 'src/*');
    expect(globDifference(before, await hashed(root, 'src/*'))).toBeUndefined();
    change(root);
    expect(globDifference(before, await hashed(root, 'src/*'))).toEqual({ path, what });
  });

  test('a file beyond those that were kept is never called added or removed [R39]', async () => {
    const root = workspaceWith(files);
    const before = await hashed(root, 'src/*', { globFilesKept: 2 });
    expect(before).toMatchObject({ count: 3, files: [{ path: 'src/a' }, { path: 'src/b' }] });
    const whole = await hashed(root, 'src/*');
    put(root, 'src/c', 'C');
    expect(globDifference(whole, await hashed(root, 'src/*', { globFilesKept: 2 }))).toBeUndefined();
    expect(globDifference(before, await hashed(root, 'src/*', { globFilesKept: 2 }))).toBeUndefined();
    rmSync(join(root, 'src/a'));
    const now = await hashed(root, 'src/*', { globFilesKept: 2 });
    expect(globDifference(before, now)).toEqual({ path: 'src/a', what: 'removed' });
  });
});
