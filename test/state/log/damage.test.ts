import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { FileLog } from '../../../src/state/log/file-log.ts';
import { draftOf, said, say } from '../../contract/drafts.ts';
import { type TempLog, tempLog } from './temp-log.ts';

async function filled(temp: TempLog, count: number, segmentBytesMax = 1 << 30): Promise<FileLog> {
  const log = temp.open({ segmentBytesMax });
  for (let at = 1; at <= count; at++) await say(log, `${at}`);
  return log;
}

function flip(path: string, text: string, to: string): void {
  const before = readFileSync(path, 'utf8');
  expect(before).toContain(text);
  writeFileSync(path, before.replace(text, to));
}

/** Nobody writes over damage: the log is refused by name and keeps its bytes. */
async function expectDamaged(temp: TempLog, segment: number, details: object): Promise<void> {
  const before = readFileSync(temp.path(segment));
  const log = temp.open();
  const { lastGoodVersion } = details as { lastGoodVersion: number };
  const refusal = { code: 'store-damaged', details: { file: temp.path(segment), ...details } };
  await expect(log.append(draftOf('over it'), lastGoodVersion)).rejects.toMatchObject(refusal);
  await expect(log.read(lastGoodVersion)).rejects.toMatchObject(refusal);
  expect((await log.health()).problem?.code).toBe('store-damaged');
  expect(readFileSync(temp.path(segment))).toEqual(before);
}

test('a byte flipped in the middle is found, with file, line and the last good version [R14]', async () => {
  const temp = tempLog();
  await filled(temp, 10);
  flip(temp.path(1), '"text":"5"', '"text":"6"');
  await expectDamaged(temp, 1, { line: 6, lastGoodVersion: 5 });
});

test('a byte flipped so that the line is no JSON is found by the line after it [R14]', async () => {
  const temp = tempLog();
  await filled(temp, 10);
  flip(temp.path(1), '"text":"5"', '"text":5"');
  await expectDamaged(temp, 1, { line: 6, lastGoodVersion: 4 });
});

test('damage is told at the same line however often it is asked for', async () => {
  const temp = tempLog();
  await filled(temp, 4);
  flip(temp.path(1), '"text":"2"', '"text":"x"');
  const log = temp.open();
  const messages = [];
  for (let i = 0; i < 3; i++) messages.push((await log.health()).problem?.message);
  expect(messages[0]).toContain('line 3');
  expect(new Set(messages).size).toBe(1);
});

test('what is good before the damage can still be read [R14]', async () => {
  const temp = tempLog();
  await filled(temp, 10);
  flip(temp.path(1), '"version":8', '"version":9');
  const log = temp.open();
  expect(said(await log.read(0))).toEqual(['1', '2', '3', '4', '5', '6', '7']);
  await expect(log.read(7)).rejects.toMatchObject({ code: 'store-damaged' });
});

test('a line in its place that lacks a field of the format is damage [R14]', async () => {
  for (const field of ['id', 'at', 'by', 'command', 'events']) {
    const temp = tempLog();
    await filled(temp, 2);
    flip(temp.path(1), '"version":2', '"version":3');
    const lines = readFileSync(temp.path(1), 'utf8').trimEnd().split('\n');
    const { [field]: _, ...rest } = JSON.parse(lines[1] ?? '');
    writeFileSync(temp.path(1), `${lines[0]}\n${JSON.stringify({ ...rest, version: 2 })}\n`);
    await expectDamaged(temp, 1, { line: 2, lastGoodVersion: 1 });
  }
});

test('a missing first segment is damage and no new log [R14]', async () => {
  const temp = tempLog();
  await filled(temp, 10, 500);
  rmSync(temp.path(1));
  const log = temp.open();
  await expect(log.read(0)).rejects.toMatchObject({ code: 'store-damaged', details: { file: temp.path(1) } });
  await expect(log.append(draftOf('anew'), 0)).rejects.toMatchObject({ code: 'store-damaged' });
});

test('a missing segment in between is damage and is not made anew [R14]', async () => {
  const temp = tempLog();
  await filled(temp, 12, 500);
  rmSync(temp.path(2));
  const log = temp.open();
  const { length } = await log.read(0);
  await expect(log.append(draftOf('anew'), length)).rejects.toMatchObject({
    code: 'store-damaged',
    message: expect.stringContaining('000002.jsonl: it is missing, but 000003.jsonl is there'),
  });
});

test('a segment beside one that is not sealed is damage [R14]', async () => {
  const temp = tempLog();
  await filled(temp, 12, 500);
  flip(temp.path(1), 'segment.sealed', 'segment.sealer');
  const log = temp.open();
  const { length } = await log.read(0);
  await expect(log.read(length)).rejects.toMatchObject({ code: 'store-damaged' });
});

test('a log that ends before the version of its snapshot is damaged, not shorter [R14]', async () => {
  const temp = tempLog();
  const log = await filled(temp, 5);
  const { position } = log;
  const lines = readFileSync(temp.path(1), 'utf8').split('\n');
  writeFileSync(temp.path(1), `${lines.slice(0, 3).join('\n')}\n`);
  const later = temp.open();
  expect(later.standAt(position)).toBe(false);
  expect(said(await later.read(0))).toEqual(['1', '2', '3']);
  await expect(later.append(draftOf('over it'), 3)).rejects.toMatchObject({
    code: 'store-damaged',
    details: { lastGoodVersion: 3 },
  });
});

test('a log that is gone is not begun anew by who holds its snapshot [R14]', async () => {
  const temp = tempLog();
  const { position } = await filled(temp, 5);
  renameSync(temp.folder, `${temp.folder}-away`);
  const later = temp.open();
  expect(later.standAt(position)).toBe(false);
  await expect(later.append(draftOf('anew'), 0)).rejects.toMatchObject({ code: 'store-damaged' });
});

test('a segment that is missing between two others is told by whoever reads, not only by the next writer [R14]', async () => {
  const temp = tempLog();
  await filled(temp, 5, 1);
  renameSync(temp.path(2), `${temp.path(2)}.away`);
  const log = temp.open();
  expect((await log.health()).problem?.code).toBe('store-damaged');
  await expect(log.read(2)).rejects.toMatchObject({
    code: 'store-damaged',
    message: expect.stringContaining('000002'),
  });
});
