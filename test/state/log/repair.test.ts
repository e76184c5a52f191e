import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repairLog } from '../../../src/state/log/repair-log.ts';
import { verifyLog } from '../../../src/state/log/verify-log.ts';
import { draftOf, said, say } from '../../contract/drafts.ts';
import { readByTheRule } from '../../crash/independent-reader.ts';
import { type TempLog, tempLog } from './temp-log.ts';

async function fill(temp: TempLog, count: number, segmentBytesMax = 700): Promise<void> {
  const log = temp.open({ segmentBytesMax });
  for (let at = 1; at <= count; at++) await say(log, `${at}`);
}

function change(path: string, text: string, to: string): void {
  const before = readFileSync(path, 'utf8');
  expect(before).toContain(text);
  writeFileSync(path, before.replace(text, to));
}

test('a report names segments, commits, inert lines and tails, and changes nothing', async () => {
  const temp = tempLog();
  await fill(temp, 5, 1 << 30);
  writeFileSync(temp.path(1), `${readFileSync(temp.path(1), 'utf8')}torn!\nand a tail`);
  const before = readFileSync(temp.path(1));
  const report = verifyLog(temp.stateDir);
  expect(report).toMatchObject({
    version: 5,
    inertLines: 1,
    segments: [{ file: '000001.jsonl', bytes: before.length, lines: 6, commits: 5, hasTail: true }],
  });
  expect(report.trouble).toBeUndefined();
  expect(readFileSync(temp.path(1))).toEqual(before);
  expect(await repairLog(temp.stateDir)).toBeUndefined();
});

test('a place without a log is reported as such', () => {
  const temp = tempLog();
  expect(verifyLog(temp.stateDir)).toMatchObject({ version: 0, segments: [], inertLines: 0 });
  expect(existsSync(temp.stateDir)).toBe(false);
});

test('a damaged log is mended up to the damage after a backup of all of it [R14]', async () => {
  const temp = tempLog();
  await fill(temp, 12);
  expect(readdirSync(temp.folder).length).toBeGreaterThan(3);
  change(temp.path(2), '"text":"6"', '"text":"x"');
  const all = readdirSync(temp.folder).map((name) => [name, readFileSync(join(temp.folder, name), 'utf8')]);
  const repaired = await repairLog(temp.stateDir);
  expect(repaired?.before.trouble?.code).toBe('store-damaged');
  expect(repaired?.after.trouble).toBeUndefined();
  expect(repaired?.after.version).toBe(repaired?.before.version);
  const kept = readdirSync(join(repaired?.backup ?? '', 'log'))
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => [name, readFileSync(join(repaired?.backup ?? '', 'log', name), 'utf8')]);
  expect(kept).toEqual(all);
  const log = temp.open();
  await say(log, 'next');
  expect(said(await log.read(0))).toEqual(['1', '2', '3', '4', '5', 'x', 'next']);
  expect(readByTheRule(temp.folder)).toHaveLength((await log.health()).version);
});

test('a process that ran during a repair does not write into the old file', async () => {
  const temp = tempLog();
  await fill(temp, 6, 1 << 30);
  const live = temp.open();
  await live.read(0);
  change(temp.path(1), '"text":"3"', '"text":"x"');
  await repairLog(temp.stateDir);
  await expect(live.append(draftOf('late'), 6)).rejects.toMatchObject({ code: 'store-replaced' });
  expect(await say(temp.open(), 'next')).toBe(4);
});

test('a log that the disk once failed to take is copied, checked and used again [R14]', async () => {
  const temp = tempLog();
  await fill(temp, 3, 1 << 30);
  const fail = () => {
    throw new Error('planted');
  };
  const log = temp.open({ faults: { at: (point) => point === 'before-sync' && fail() } });
  await log.read(0);
  await expect(log.append(draftOf('b'), log.position.version)).rejects.toMatchObject({ code: 'outcome-unknown' });
  const { ino } = statSync(temp.path(log.position.segment));
  const repaired = await repairLog(temp.stateDir);
  expect(repaired?.before.trouble?.message).toContain('fdatasync');
  expect(statSync(temp.path(log.position.segment)).ino).not.toBe(ino);
  const later = temp.open();
  await say(later, 'next');
  expect(said(await later.read(0))).toEqual(['1', '2', '3', 'b', 'next']);
});

test('a log of a newer version and one without a good commit are left as they are [R30]', async () => {
  const temp = tempLog();
  await fill(temp, 3);
  await expect(repairLog(temp.stateDir, () => false)).rejects.toMatchObject({ code: 'newer-format' });
  change(temp.path(1), '"version":1,', '"version":9,');
  await expect(repairLog(temp.stateDir)).rejects.toMatchObject({
    code: 'store-damaged',
    message: expect.stringContaining('Nothing was changed'),
  });
  expect(readdirSync(temp.stateDir).sort()).toEqual(['.gitignore', 'log']);
});
