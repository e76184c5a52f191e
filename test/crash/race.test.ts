import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempLog } from '../state/log/temp-log.ts';
import { readByTheRule } from './independent-reader.ts';
import { expectAllKept, race, Writer } from './writers.ts';

const rounds = Number(process.env.LOOPX_RACE_ROUNDS ?? 3);

test(`8 processes with 20 parallel appends each lose nothing, over ${rounds} rounds on one log [R13]`, async () => {
  const { stateDir, folder } = tempLog();
  const writers: Writer[] = [];
  for (let round = 1; round <= rounds; round++) {
    const racing = Array.from(
      { length: 8 },
      (_, at) => new Writer({ stateDir, name: `r${round}p${at}`, count: 20, parallel: 20 }),
    );
    await race(racing);
    writers.push(...racing);
    expect(racing.map(({ acknowledged }) => acknowledged.size)).toEqual(racing.map(() => 20));
  }
  expect(expectAllKept(folder, writers)).toHaveLength(rounds * 160);
}, 120_000);

test('segments are sealed under racing writers and lose nothing [R13]', async () => {
  const { stateDir, folder, open } = tempLog();
  const writers = Array.from(
    { length: 4 },
    (_, at) => new Writer({ stateDir, name: `p${at}`, count: 40, parallel: 4, segmentBytesMax: 2_000 }),
  );
  await race(writers);
  expect(expectAllKept(folder, writers)).toHaveLength(160);
  expect(open().position.segment).toBe(1);
  const log = open();
  await log.read(0);
  expect(log.position.segment).toBeGreaterThan(10);
}, 60_000);

test('a reader in another language that knows only the rule reads the same commits', async () => {
  const { stateDir, folder } = tempLog();
  const writers = Array.from(
    { length: 3 },
    (_, at) => new Writer({ stateDir, name: `p${at}`, count: 10, parallel: 5, segmentBytesMax: 3_000 }),
  );
  await race(writers);
  const ids = readByTheRule(folder).map(({ id }) => id);
  const script = join(import.meta.dirname, 'read_by_the_rule.py');
  const printed = execFileSync('python3', [script, folder], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  expect(printed.trim()).toBe(`${ids.length} ${ids.join(' ')}`);
}, 60_000);

test('50 processes at once all get their commit in [R3] [R13]', async () => {
  const { stateDir, folder } = tempLog();
  const writers = Array.from({ length: 50 }, (_, at) => new Writer({ stateDir, name: `p${at}`, count: 1 }));
  await race(writers);
  expect(expectAllKept(folder, writers)).toHaveLength(50);
}, 120_000);
