import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { said, say } from '../../contract/drafts.ts';
import { tempLog } from './temp-log.ts';

test('a reader goes on from where an earlier one stood', async () => {
  for (const segmentBytesMax of [1 << 30, 500, 1]) {
    const temp = tempLog();
    const first = temp.open({ segmentBytesMax });
    for (const text of ['a', 'b', 'c']) await say(first, text);
    await first.read(0);
    const { position } = first;
    for (const text of ['d', 'e']) await say(first, text);
    const later = temp.open({ segmentBytesMax });
    expect(later.standAt(position)).toBe(true);
    expect(said(await later.read(position.version))).toEqual(['d', 'e']);
    expect(said(await later.read(0))).toEqual(['a', 'b', 'c', 'd', 'e']);
    await say(later, 'f');
    expect((await later.health()).log).toBe(position.log);
    expect(said(await temp.open().read(0))).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  }
});

test('a position holds although inert lines follow it', async () => {
  const temp = tempLog();
  const first = temp.open();
  await say(first, 'a');
  appendFileSync(temp.path(1), 'torn!\n');
  await first.read(0);
  const later = temp.open();
  expect(later.standAt(first.position)).toBe(true);
  expect(await say(later, 'b')).toBe(2);
});

test('damage is told at its line by a reader that did not begin at the start', async () => {
  const temp = tempLog();
  const first = temp.open();
  for (const text of ['a', 'b', 'c']) await say(first, text);
  const { position } = first;
  for (const text of ['d', 'e', 'f']) await say(first, text);
  writeFileSync(temp.path(1), readFileSync(temp.path(1), 'utf8').replace('"text":"d"', '"text":"x"'));
  const later = temp.open();
  expect(later.standAt(position)).toBe(true);
  expect((await later.health()).problem?.message).toContain('line 5');
});

test('a position that the log does not hold is thrown away, and the log is read from its start', async () => {
  const temp = tempLog();
  const log = temp.open();
  for (const text of ['a', 'b']) await say(log, text);
  const { position } = log;
  for (const wrong of [
    { ...position, offset: position.offset - 1 },
    { ...position, offset: position.offset + 1 },
    { ...position, offset: 0 },
    { ...position, hash: position.hash.replace(/^./, (digit) => (digit === '0' ? '1' : '0')) },
    { ...position, version: 1 },
    { ...position, segment: 2 },
  ]) {
    const later = temp.open();
    expect(later.standAt(wrong)).toBe(false);
    expect(said(await later.read(0))).toEqual(['a', 'b']);
    expect((await later.health()).problem).toBeUndefined();
  }
});

test('a position in another log says nothing about this one', async () => {
  const [temp, other] = [tempLog(), tempLog()];
  for (const text of ['a', 'b', 'c']) await say(other.open(), text);
  const foreign = other.open();
  await foreign.read(0);
  await say(temp.open(), 'x');
  const log = temp.open();
  expect(log.standAt(foreign.position)).toBe(false);
  expect(await say(log, 'y')).toBe(2);
});
