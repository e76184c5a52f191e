import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hashLine } from '../../src/state/log/codec.ts';
import type { CommitLog } from '../../src/state/log/commit-log.ts';
import { draftOf, said, say } from './drafts.ts';

export interface StoreUnderTest {
  /** Another handle on the same log. */
  open(): CommitLog | Promise<CommitLog>;
  dispose(): void | Promise<void>;
}

/** What every store owes (see commit-log.ts), run for each of them. */
export function commitLogContract(name: string, makeStore: () => StoreUnderTest | Promise<StoreUnderTest>): void {
  describe(`the commit log in ${name}`, () => {
    let store: StoreUnderTest;
    let log: CommitLog;
    const handles: CommitLog[] = [];
    const open = async () => {
      const handle = await store.open();
      handles.push(handle);
      return handle;
    };

    beforeEach(async () => {
      store = await makeStore();
      log = await open();
    });
    afterEach(async () => {
      for (const handle of handles.splice(0)) await handle.close();
      await store.dispose();
    });

    test('begins empty, at version 0 and in good health', async () => {
      expect(await log.read(0)).toEqual([]);
      expect(await log.health()).toMatchObject({ version: 0 });
      expect((await log.health()).problem).toBeUndefined();
    });

    test('numbers commits 1, 2, 3 and answers them as they were given', async () => {
      const drafts = ['a', 'b', 'c'].map((text) => draftOf(text));
      for (const [at, draft] of drafts.entries()) {
        expect(await log.append(draft, at)).toMatchObject({ appended: { ...draft, version: at + 1, v: 1 } });
      }
      expect(await log.read(0)).toMatchObject(drafts.map((draft, at) => ({ ...draft, version: at + 1 })));
    });

    test('answers only what comes after the version asked for', async () => {
      for (const text of ['a', 'b', 'c']) await say(log, text);
      expect(said(await log.read(1))).toEqual(['b', 'c']);
      expect(await log.read(3)).toEqual([]);
      expect(said(await log.read(0))).toEqual(['a', 'b', 'c']);
    });

    test('chains each commit to the line before it', async () => {
      for (const text of ['a', 'b']) await say(log, text);
      const [first, second] = await log.read(0);
      expect(first?.prev).toBe('');
      expect(second?.prev).toBe(hashLine(Buffer.from(JSON.stringify(first))));
    });

    test('gives the log a random id with its first commit only', async () => {
      for (const text of ['a', 'b']) await say(log, text);
      const [first, second] = await log.read(0);
      expect(first?.log).toMatch(/^[\w-]{21}$/);
      expect(second?.log).toBeUndefined();
      expect((await log.health()).log).toBe(first?.log);
    });

    test('answers a conflict with the current version and keeps nothing of the loser [R13]', async () => {
      await say(log, 'a');
      expect(await log.append(draftOf('late'), 0)).toEqual({ conflict: 1 });
      expect(await log.append(draftOf('early'), 2)).toEqual({ conflict: 1 });
      expect(said(await log.read(0))).toEqual(['a']);
    });

    test('has exactly one winner among appends at one version [R13]', async () => {
      const others = await Promise.all(Array.from({ length: 6 }, open));
      const results = await Promise.all(others.map((other, at) => other.append(draftOf(`${at}`), 0)));
      expect(results.filter((result) => 'appended' in result)).toHaveLength(1);
      expect(results.filter((result) => 'conflict' in result)).toHaveLength(5);
      const commits = await log.read(0);
      expect(commits).toMatchObject(results.flatMap((result) => ('appended' in result ? [result.appended] : [])));
    });

    test('keeps every parallel append of one handle that reads again after a conflict [R13]', async () => {
      const texts = Array.from({ length: 20 }, (_, at) => `${at}`);
      const versions = await Promise.all(texts.map((text) => say(log, text)));
      expect(new Set(versions).size).toBe(20);
      expect([...said(await log.read(0))].sort()).toEqual([...texts].sort());
    });

    test('shows each handle what another one appended', async () => {
      const other = await open();
      await say(log, 'a');
      expect(said(await other.read(0))).toEqual(['a']);
      await say(other, 'b');
      expect(said(await log.read(1))).toEqual(['b']);
    });

    test('shows a handle that is opened later the same commits', async () => {
      for (const text of ['a', 'ü😀\u2028\n"', 'c']) await say(log, text);
      const later = await open();
      expect(await later.read(0)).toEqual(await log.read(0));
    });

    test('answers from far back what it no longer keeps in memory', async () => {
      const texts = Array.from({ length: 600 }, (_, at) => `${at}`);
      for (const [at, text] of texts.entries()) await log.append(draftOf(text), at);
      await log.read(600);
      expect(said(await log.read(0))).toEqual(texts);
      expect(said(await log.read(597))).toEqual(['597', '598', '599']);
    });

    test('takes a commit of 200 KB and refuses one over 256 KB without writing it [R15]', async () => {
      expect(await log.append(draftOf('big', 200_000), 0)).toHaveProperty('appended');
      await expect(log.append(draftOf('too big', 262_144), 1)).rejects.toMatchObject({
        code: 'too-large',
        message: expect.stringContaining('nothing was written'),
      });
      expect(said(await log.read(0))).toEqual(['big']);
      expect(await say(log, 'next')).toBe(2);
    });

    test('tells a watcher of what another handle appends, and nothing after it stopped', async () => {
      const other = await open();
      let calls = 0;
      const called = new Promise<void>((resolve) => {
        const stop = log.watch(() => {
          calls++;
          stop();
          resolve();
        });
      });
      await say(other, 'a');
      await called;
      const before = calls;
      await say(other, 'b');
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(calls).toBe(before);
    });

    test('syncs what it has read without changing it', async () => {
      const other = await open();
      await say(other, 'a');
      await log.read(0);
      await log.sync();
      expect(said(await log.read(0))).toEqual(['a']);
    });
  });
}
