import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Faults } from '../../../src/state/log/faults.ts';
import { draftOf, said, say } from '../../contract/drafts.ts';
import { readByTheRule } from '../../crash/independent-reader.ts';
import { tempLog } from './temp-log.ts';

/** Lets only a part of the first `times` writes reach the file. */
function shortWrites(times: number, part: (bytes: number) => number): Faults {
  let left = times;
  return { at: () => undefined, shortWrite: (bytes) => (left-- > 0 ? part(bytes) : undefined) };
}

for (const [name, part] of [
  ['half of a line', (bytes: number) => bytes >> 1],
  ['a line without its newline', (bytes: number) => bytes - 1],
  ['a single byte', () => 1],
] as const) {
  test(`a write of which only ${name} came in is written again with the same id`, async () => {
    const temp = tempLog();
    await say(temp.open(), 'a');
    const draft = draftOf('b');
    const log = temp.open({ faults: shortWrites(2, part) });
    expect(await log.append(draft, 1)).toMatchObject({ appended: { id: draft.id, version: 2 } });
    expect(said(await temp.open().read(0))).toEqual(['a', 'b']);
    expect(readByTheRule(temp.folder).map(({ id }) => id)[1]).toBe(draft.id);
  });
}

test('a disk that takes no whole line for 5 s is busy, and the answer says that nothing was written', async () => {
  const temp = tempLog();
  const log = temp.open({ faults: shortWrites(Number.POSITIVE_INFINITY, () => 3) });
  await expect(log.append(draftOf('a'), 0)).rejects.toMatchObject({
    code: 'store-busy',
    message: expect.stringContaining('nothing was written'),
  });
  expect(await say(temp.open(), 'b')).toBe(1);
});

test('a refused commit that lacks only its newline never comes back to life [R14]', async () => {
  const temp = tempLog();
  await say(temp.open(), 'a');
  const [line] = readFileSync(temp.path(1), 'utf8').split('\n');
  const { createHash } = await import('node:crypto');
  const prev = createHash('sha256')
    .update(line ?? '')
    .digest('hex');
  const torn = { v: 1, version: 2, prev, ...draftOf('refused') };
  appendFileSync(temp.path(1), JSON.stringify(torn));
  expect(said(await temp.open().read(0))).toEqual(['a']);
  await say(temp.open(), 'b');
  expect(said(await temp.open().read(0))).toEqual(['a', 'b']);
  expect(readByTheRule(temp.folder)).toHaveLength(2);
});

test('a writer that loses within its own write gets a conflict, and its line is inert [R13]', async () => {
  const temp = tempLog();
  const other = temp.open();
  await say(other, 'a');
  let isFirst = true;
  const log = temp.open({
    faults: {
      at: (point) => {
        // An append runs to its end without a pause, so this one is between the reading and the writing of the other.
        if (point === 'before-write' && isFirst) void other.append(draftOf('faster'), 1);
        isFirst = false;
      },
    },
  });
  expect(await log.append(draftOf('slower'), 1)).toEqual({ conflict: 2 });
  expect(said(await log.read(0))).toEqual(['a', 'faster']);
  expect(readFileSync(temp.path(1), 'utf8')).toContain('slower');
});

test('a writer that was stopped while its segment was sealed loses there and moves on [R13]', async () => {
  const temp = tempLog();
  const other = temp.open({ segmentBytesMax: 1 });
  await say(other, 'a');
  let isFirst = true;
  const faults: Faults = {
    at: (point) => {
      if (point !== 'before-write' || !isFirst) return;
      isFirst = false;
      // Version 2 is the seal of segment 1 already, and this makes segment 2.
      void other.append(draftOf('b'), 2);
    },
  };
  const log = temp.open({ segmentBytesMax: 1, faults });
  await log.read(0);
  expect(await log.append(draftOf('late'), 2)).toEqual({ conflict: 4 });
  expect(await say(log, 'c')).toBe(5);
  expect(said(await temp.open().read(0))).toEqual(['a', 'b', 'c']);
});

test('lines that are no commits are inert: blank, no JSON, no UTF-8, a byte order mark, too long, zeros', async () => {
  const temp = tempLog();
  await say(temp.open(), 'a');
  const first = readFileSync(temp.path(1));
  const next = Buffer.from(JSON.stringify({ v: 1, version: 2, prev: 'x', id: 'x' }));
  const inert = [
    Buffer.alloc(0),
    Buffer.from('null'),
    Buffer.from('7'),
    Buffer.from('{"version":"2","prev":""}'),
    Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), next]),
    Buffer.concat([Buffer.from([0xff]), next]),
    Buffer.concat([next.subarray(0, -1), Buffer.from(`,"pad":"${'x'.repeat(3_000_000)}"}`)]),
    Buffer.concat([next.subarray(0, -1), Buffer.from(`,"pad":"${'x'.repeat(262_144)}"}`)]),
    Buffer.alloc(4_096),
    first.subarray(0, -1),
  ];
  for (const line of inert) appendFileSync(temp.path(1), Buffer.concat([line, Buffer.from('\n')]));
  await say(temp.open(), 'b');
  expect(said(await temp.open().read(0))).toEqual(['a', 'b']);
});

test('a long tail without a newline is ended by the next writer, not joined to its line', async () => {
  const temp = tempLog();
  await say(temp.open(), 'a');
  appendFileSync(temp.path(1), 'x'.repeat(2_500_000));
  await say(temp.open(), 'b');
  expect(said(await temp.open().read(0))).toEqual(['a', 'b']);
});

test('a log file of no bytes at all is the beginning of a log', async () => {
  const temp = tempLog();
  await say(temp.open(), 'x');
  writeFileSync(temp.path(1), '');
  expect(await temp.open().read(0)).toEqual([]);
  expect(await say(temp.open(), 'a')).toBe(1);
});

test('a segment that is sealed and followed by another while it is read is no damage', async () => {
  const temp = tempLog();
  await say(temp.open(), 'a');
  const other = temp.open({ segmentBytesMax: 1 });
  let isFirst = true;
  const knowsEvent = () => {
    // This is in the middle of the reading of the first segment, after the look at what is beside it.
    if (isFirst) {
      void other.append(draftOf('b'), 1);
      void other.append(draftOf('beyond the seal'), 3);
    }
    isFirst = false;
    return true;
  };
  const log = temp.open({ knowsEvent });
  const { version, problem } = await log.health();
  expect({ version, problem }).toEqual({ version: 1, problem: undefined });
  expect(other.position).toMatchObject({ segment: 2, version: 4 });
  expect(said(await log.read(1))).toEqual(['b', 'beyond the seal']);
});
