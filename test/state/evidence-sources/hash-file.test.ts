import { execFileSync } from 'node:child_process';
import { linkSync, renameSync, statSync, symlinkSync, truncateSync, utimesSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { HashCache } from '../../../src/state/evidence-sources/hash-cache.ts';
import { hashFile } from '../../../src/state/evidence-sources/hash-file.ts';
import { put, sha256, workspaceWith } from './temp.ts';

test('a file is hashed by its bytes and named in its shortest form [R39]', async () => {
  const bytes = Buffer.from(Array.from({ length: 600_000 }, (_, i) => i % 251));
  const root = workspaceWith({ 'src/a b/ü.bin': bytes, empty: '' });
  expect(await hashFile(root, './src/x/../a b//ü.bin')).toEqual({
    path: 'src/a b/ü.bin',
    sha256: sha256(bytes),
    sizeBytes: 600_000,
  });
  expect(await hashFile(root, 'empty')).toMatchObject({ sha256: sha256('') });
});

describe('what is refused, each by its own problem', () => {
  test.each([
    ['', 'bad-path'],
    ['a\0b', 'bad-path'],
    ['x'.repeat(2_000), 'bad-path'],
    [`${'x'.repeat(300)}`, 'bad-path'],
    ['/etc/hostname', 'outside'],
    ['C:\\Windows\\win.ini', 'outside'],
    ['\\\\server\\share\\x', 'outside'],
    ['../outside', 'outside'],
    ['src/../../outside', 'outside'],
    ['..', 'outside'],
    ['.', 'not-a-file'],
    ['src/', 'not-a-file'],
    ['src', 'not-a-file'],
    ['pipe', 'not-a-file'],
    ['missing', 'missing'],
    ['src/a/deeper', 'missing'],
    ['loop', 'missing'],
    ['.git/config', 'private'],
    ['.GIT/config', 'private'],
    ['src/../.loopx/log/000001.jsonl', 'private'],
    ['out', 'outside'],
    ['folder-out/outside', 'outside'],
    ['into-git', 'private'],
  ])('%j is %s [R26]', async (path, problem) => {
    const root = workspaceWith({ 'src/a': 'a', '.git/config': '', '.loopx/log/000001.jsonl': '', '../outside': 'o' });
    execFileSync('mkfifo', [join(root, 'pipe')]);
    symlinkSync('../outside', join(root, 'out'));
    symlinkSync('..', join(root, 'folder-out'));
    symlinkSync('.git/config', join(root, 'into-git'));
    symlinkSync('loop', join(root, 'loop'));
    expect(await hashFile(root, path)).toMatchObject({
      problem,
      path: expect.any(String),
      message: expect.any(String),
    });
  });

  test('a socket is not a file [R26]', async () => {
    const root = workspaceWith({});
    const server = createServer().listen(join(root, 'socket'));
    onTestFinished(() => void server.close());
    await expect.poll(() => hashFile(root, 'socket')).toMatchObject({ problem: 'not-a-file' });
  });

  test('a file over the limit is refused before it is read, also when the cache knows it [R26]', async () => {
    const root = workspaceWith({ big: '' });
    truncateSync(join(root, 'big'), 64 * 1024 * 1024 + 1);
    expect(await hashFile(root, 'big')).toMatchObject({ problem: 'too-large' });
    put(root, 'small', '12345');
    const cache = new HashCache();
    const small = join(root, 'small');
    cache.set(small, statSync(small, { bigint: true }), sha256('12345'), Date.now() + 10_000);
    expect(await hashFile(root, 'small', { cache, sizeBytesMax: 5 })).toMatchObject({ sizeBytes: 5 });
    expect(await hashFile(root, 'small', { cache, sizeBytesMax: 4 })).toMatchObject({ problem: 'too-large' });
  });

  test('a file that fails while it is read is unreadable [R26]', async () => {
    // The memory of a process is a regular file whose first page cannot be read by anyone.
    expect(await hashFile('/proc/self', 'mem')).toMatchObject({ problem: 'unreadable' });
  });
});

test('a link that stays inside the workspace is followed, and a workspace reached by a link is the same [R39]', async () => {
  const root = workspaceWith({ 'src/a': 'a' });
  symlinkSync('src', join(root, 'link'));
  symlinkSync(root, join(root, '..', 'way'));
  expect(await hashFile(root, 'link/a')).toMatchObject({ path: 'link/a', sha256: sha256('a') });
  expect(await hashFile(join(root, '..', 'way'), 'src/a')).toMatchObject({ sha256: sha256('a') });
});

test('a changed file has another digest at once, even with the same size and the same time of change [R39]', async () => {
  const root = workspaceWith({ a: 'one' });
  const { atime, mtime } = statSync(join(root, 'a'));
  const cache = new HashCache();
  for (const content of ['one', 'two', 'six']) {
    put(root, 'a', content);
    utimesSync(join(root, 'a'), atime, mtime);
    expect(await hashFile(root, 'a', { cache })).toMatchObject({ sha256: sha256(content) });
  }
});

test('a file that has long been still is answered from the cache, and not once it was replaced [R39]', async () => {
  const root = workspaceWith({ a: 'one', 'other/a': 'two' });
  const hits: boolean[] = [];
  class CountingCache extends HashCache {
    override get(...args: Parameters<HashCache['get']>) {
      const known = super.get(...args);
      hits.push(known !== undefined);
      return known;
    }
    // As if the file had last changed an hour ago.
    override set(...[path, stat, digest, nowMs]: Parameters<HashCache['set']>) {
      super.set(path, stat, digest, nowMs + 3_600_000);
    }
  }
  const cache = new CountingCache();
  const ask = () => hashFile(root, 'a', { cache });
  expect([await ask(), await ask()]).toEqual(Array(2).fill({ path: 'a', sha256: sha256('one'), sizeBytes: 3 }));
  renameSync(join(root, 'other/a'), join(root, 'a'));
  expect(await ask()).toMatchObject({ sha256: sha256('two') });
  expect(hits).toEqual([false, true, false]);
});

test('the cache forgets the oldest file first and never grows past its bound', async () => {
  const root = workspaceWith({ a: 'a', b: 'b', c: 'c' });
  const cache = new HashCache(2);
  const stat = (name: string) => statSync(join(root, name), { bigint: true });
  for (const name of ['a', 'b', 'c']) cache.set(name, stat(name), name, Date.now() + 10_000);
  expect(['a', 'b', 'c'].map((name) => cache.get(name, stat(name)))).toEqual([undefined, 'b', 'c']);
  linkSync(join(root, 'b'), join(root, 'b2'));
  expect(cache.get('b', stat('b'))).toBeUndefined();
});

test('a file that changed a moment ago is not kept, since a next change may bear the same time [R39]', () => {
  const root = workspaceWith({ a: 'a' });
  const stat = statSync(join(root, 'a'), { bigint: true });
  const cache = new HashCache();
  cache.set('a', stat, 'digest', Number(stat.ctimeMs) + 2_000);
  expect(cache.get('a', stat)).toBeUndefined();
  cache.set('a', stat, 'digest', Number(stat.ctimeMs) + 3_000);
  expect(cache.get('a', stat)).toBe('digest');
});
