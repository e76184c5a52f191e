import { appendFileSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readGiven, readLog } from '../../src/audit/read-log.ts';
import { openFileLog } from '../../src/state/log/file-log.ts';
import { openMemoryLog } from '../../src/state/log/memory-log.ts';
import { say } from '../contract/drafts.ts';
import { flip, forge, linesOf } from './log-lines.ts';

describe('The independent reader', () => {
  let stateDir: string;
  let folder: string;
  let path: string;
  beforeEach(() => {
    stateDir = mkdtempSync(join(tmpdir(), 'loopx-audit-'));
    folder = join(stateDir, 'log');
    path = join(folder, '000001.jsonl');
    mkdirSync(folder);
  });
  afterEach(() => rmSync(stateDir, { recursive: true }));

  const note = (text: string) => [{ type: 'test.said', text }];
  const three = () => {
    for (const text of ['one', 'two', 'three']) forge(path, note(text));
  };
  const start = () => writeFileSync(path, '');

  it('reads nothing where there is nothing', () => {
    rmSync(folder, { recursive: true });
    expect(readLog(folder)).toMatchObject({ commits: [], head: '', inert: 0 });
  });

  it('reads what the file store wrote, over sealed segments, to the same end [R13]', async () => {
    const log = openFileLog({ stateDir, segmentBytesMax: 2_000 });
    for (let at = 0; at < 40; at++) await say(log, `text ${at}`);
    const commits = await log.read(0);
    const reading = readLog(folder);
    expect(linesOf(join(folder, '000003.jsonl')).length).toBeGreaterThan(0);
    expect(reading).toMatchObject({ commits, isFromFiles: true });
    expect(reading.damage).toBeUndefined();
    expect(reading.head).toBe(log.position.hash);
    await log.close();
  });

  it('passes over torn lines, lost races and a line that is not there yet [R14]', () => {
    start();
    three();
    const [, second = ''] = linesOf(path);
    appendFileSync(path, `{"v":1,"vers!\n${second.replace('two', 'too late')}\n\xff\n`);
    forgeAfter(path, 'four');
    appendFileSync(path, '{"v":1,"version":5');
    const reading = readLog(folder);
    expect(reading.commits.map(({ version }) => version)).toEqual([1, 2, 3, 4]);
    expect(reading.inert).toBe(3);
    expect(reading.damage).toBeUndefined();
  });

  it('names the place after a byte was flipped in the middle, and believes what is before [R14]', () => {
    start();
    three();
    flip(path, 'two');
    const reading = readLog(folder);
    expect(reading.damage).toBe('000001.jsonl line 3 holds version 3, which does not follow version 2');
    expect(reading.commits).toHaveLength(2);
  });

  it('names a line that was taken out and one that does not chain [R14]', () => {
    start();
    three();
    const [first, , third] = linesOf(path);
    writeFileSync(path, `${first}\n${third}\n`);
    expect(readLog(folder).damage).toContain('line 2 holds version 3');
    start();
    three();
    forge(path, note('four'), { prev: 'ab' });
    expect(readLog(folder).damage).toContain('line 4 holds version 4');
  });

  it('names a segment beside one that is not sealed, and a format it does not know [R14] [R30]', () => {
    start();
    three();
    copyFileSync(path, join(folder, '000002.jsonl'));
    expect(readLog(folder).damage).toBe('000002.jsonl stands beside 000001.jsonl, which is not sealed');
    rmSync(join(folder, '000002.jsonl'));
    forge(path, note('four'), { v: 2 });
    expect(readLog(folder).damage).toContain('line 4 is of a format');
  });

  it('names a segment that is missing while a later one is there [R14]', () => {
    start();
    three();
    forge(path, [{ type: 'segment.sealed' }]);
    copyFileSync(path, join(folder, '000003.jsonl'));
    expect(readLog(folder)).toMatchObject({ damage: '000002.jsonl is missing' });
    expect(readLog(folder).commits).toHaveLength(4);
  });

  it('names a line in its place that is not a whole commit [R14]', () => {
    start();
    three();
    forge(path, note('four'), { by: undefined });
    expect(readLog(folder).damage).toBe('000001.jsonl line 4 lacks fields that every commit has');
  });

  it('passes over what no commit can be: a byte order mark, a fraction of a version, a line that is too long', () => {
    start();
    three();
    const whole = readFileSync(path);
    forge(path, note('four'));
    const next = linesOf(path).at(-1) as string;
    const bad = [
      `\ufeff${next}`,
      next.replace('"version":4', '"version":4.5'),
      next.replace('four', 'x'.repeat(262_144)),
    ];
    writeFileSync(path, Buffer.concat([whole, Buffer.from(`${bad.join('\n')}\n`)]));
    expect(readLog(folder)).toMatchObject({ inert: 3 });
    expect(readLog(folder).damage).toBeUndefined();
    appendFileSync(path, `${next}\n`);
    expect(readLog(folder).commits).toHaveLength(4);
  });

  it('takes nothing after a seal', () => {
    start();
    three();
    forge(path, [{ type: 'segment.sealed' }]);
    forge(path, note('too late'));
    expect(readLog(folder).commits).toHaveLength(4);
  });

  it('writes nothing [R14]', () => {
    start();
    three();
    appendFileSync(path, 'torn');
    const before = readFileSync(path);
    readLog(folder);
    expect(readFileSync(path)).toEqual(before);
  });

  it('holds commits that a store without files gives to the same chain', async () => {
    const log = openMemoryLog();
    for (const text of ['one', 'two', 'three']) await say(log, text);
    const commits = await log.read(0);
    expect(readGiven(commits)).toMatchObject({ commits, isFromFiles: false });
    const edited = commits.map((commit) => (commit.version === 2 ? { ...commit, at: '2020-01-01T00:00:00Z' } : commit));
    expect(readGiven(edited).damage).toContain('version 3, which does not follow version 2');
    expect(readGiven(commits.slice(1)).damage).toContain('version 2, which does not follow version 0');
  });
});

/** A commit after the last line that is one, which is not the last line of the file. */
function forgeAfter(path: string, text: string): void {
  const whole = readFileSync(path);
  const good = linesOf(path).slice(0, 3).join('\n');
  writeFileSync(path, `${good}\n`);
  forge(path, [{ type: 'test.said', text }]);
  const line = linesOf(path).at(-1);
  writeFileSync(path, Buffer.concat([whole, Buffer.from(`${line}\n`)]));
}
