import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { draftOf, said, say } from '../../contract/drafts.ts';
import { tempLog } from './temp-log.ts';

test('a log deleted under a live writer is noticed and no other log begins in its place [R14]', async () => {
  const temp = tempLog();
  const log = temp.open();
  await say(log, 'a');
  rmSync(temp.folder, { recursive: true });
  const refusal = { code: 'store-replaced', details: { lastGoodVersion: 1, file: temp.path(1) } };
  await expect(log.append(draftOf('b'), 1)).rejects.toMatchObject(refusal);
  await expect(log.read(0)).rejects.toMatchObject(refusal);
  expect((await log.health()).problem?.code).toBe('store-replaced');
  expect(existsSync(temp.folder)).toBe(false);
});

test('a log replaced by another one is noticed, and the other one keeps its bytes [R14]', async () => {
  const temp = tempLog();
  const other = tempLog();
  const log = temp.open();
  await say(log, 'a');
  for (const text of ['x', 'y', 'z']) await say(other.open(), text);
  renameSync(other.path(1), temp.path(1));
  const before = readFileSync(temp.path(1));
  await expect(log.append(draftOf('b'), 1)).rejects.toMatchObject({ code: 'store-replaced' });
  expect(readFileSync(temp.path(1))).toEqual(before);
});

test('a log that was put back is used again', async () => {
  const temp = tempLog();
  const log = temp.open();
  await say(log, 'a');
  renameSync(temp.folder, `${temp.folder}-away`);
  await expect(log.read(0)).rejects.toMatchObject({ code: 'store-replaced' });
  renameSync(`${temp.folder}-away`, temp.folder);
  expect(await say(log, 'b')).toBe(2);
});

test('a log cut shorter than what was read of it is noticed [R14]', async () => {
  const temp = tempLog();
  const log = temp.open();
  for (const text of ['a', 'b']) await say(log, text);
  truncateSync(temp.path(1), 40);
  await expect(log.append(draftOf('c'), 2)).rejects.toMatchObject({ code: 'store-replaced' });
});

for (const point of ['before-write', 'after-write', 'before-sync', 'after-sync'] as const) {
  test(`a log deleted at the point ${point} of an append is not acknowledged into [R14]`, async () => {
    const temp = tempLog();
    await say(temp.open(), 'a');
    const faults = { at: (reached: string) => reached === point && rmSync(temp.path(1)) };
    const log = temp.open({ faults });
    await log.read(0);
    await expect(log.append(draftOf('b'), 1)).rejects.toMatchObject({ code: 'store-replaced' });
  });
}

test('a file of no commits that is taken away is no log, so one may begin', async () => {
  const temp = tempLog();
  await say(temp.open(), 'x');
  writeFileSync(temp.path(1), '!\n');
  const log = temp.open();
  expect(await log.read(0)).toEqual([]);
  rmSync(temp.path(1));
  expect(await say(log, 'a')).toBe(1);
});

test('a process that starts after a copy was put in its place goes on with the copy', async () => {
  const temp = tempLog();
  await say(temp.open(), 'a');
  copyFileSync(temp.path(1), `${temp.path(1)}.copy`);
  renameSync(`${temp.path(1)}.copy`, temp.path(1));
  const log = temp.open();
  expect(await say(log, 'b')).toBe(2);
  expect(said(await log.read(0))).toEqual(['a', 'b']);
});
