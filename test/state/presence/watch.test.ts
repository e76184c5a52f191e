import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { selfIdentity } from '../../../src/state/presence/process-identity.ts';
import { Watch } from '../../../src/state/presence/watch.ts';
import { nodeProcess, sourceUrl, temporaryStateDir } from './temp.ts';

const self = { ...selfIdentity(), bootId: 'this-boot' };

function open() {
  const stateDir = temporaryStateDir();
  mkdirSync(stateDir);
  const clock = { ms: 1_000 };
  const watch = (identity: { pid: number; bootId?: string } = self) => new Watch(stateDir, identity, () => clock.ms);
  return { stateDir, clock, watch };
}

test('the first look starts the watch, later ones count, a risen counter starts it anew [R36]', () => {
  const { clock, watch } = open();
  const taker = watch();
  expect(taker.observe('s', 'ann', 5, 500)).toEqual({ unchangedMs: 0, remainingMs: 500 });
  clock.ms += 300;
  expect(taker.observe('s', 'ann', 5, 500)).toEqual({ unchangedMs: 300, remainingMs: 200 });
  clock.ms += 300;
  expect(taker.observe('s', 'ann', 5, 500)).toEqual({ unchangedMs: 600, remainingMs: 0 });
  expect(taker.observe('s', 'ann', 6, 500)).toEqual({ unchangedMs: 0, remainingMs: 500 });
  clock.ms += 100;
  expect(taker.observe('s', 'ann', 6, 500).unchangedMs).toBe(100);
  expect(taker.observe('s', 'bob', 6, 500).unchangedMs).toBe(0);
});

test('a later taker goes on where another left off, but not over a counter that rose in between [R36]', () => {
  const { clock, watch } = open();
  watch().observe('s', 'ann', 5, 500);
  clock.ms += 400;
  expect(watch().observe('s', 'ann', 5, 500).remainingMs).toBe(100);
  const early = watch();
  early.observe('s', 'ann', 5, 500);
  watch().observe('s', 'ann', 6, 500);
  clock.ms += 400;
  expect(early.observe('s', 'ann', 6, 500).unchangedMs).toBe(400);
});

test('a watch of another boot or container, of the future, or damaged counts for nothing [R36]', () => {
  const { stateDir, clock, watch } = open();
  watch({ ...self, bootId: 'before' }).observe('s', 'ann', 5, 500);
  clock.ms += 400;
  expect(watch().observe('s', 'ann', 5, 500).unchangedMs).toBe(0);
  clock.ms -= 300;
  expect(watch().observe('s', 'ann', 5, 500).unchangedMs).toBe(0);
  clock.ms += 50;
  expect(watch().observe('s', 'ann', 5, 500).unchangedMs).toBe(50);
  const folder = join(stateDir, 'presence', 'watches');
  for (const name of readdirSync(folder)) writeFileSync(join(folder, name), '{"beat":5');
  clock.ms += 50;
  expect(watch().observe('s', 'ann', 5, 500).unchangedMs).toBe(0);
});

test("without a boot id or a state folder only a process's own looks count [R36]", () => {
  const { stateDir, clock, watch } = open();
  const taker = watch({ pid: 1 });
  taker.observe('s', 'ann', 5, 500);
  clock.ms += 400;
  expect(taker.observe('s', 'ann', 5, 500).unchangedMs).toBe(400);
  expect(watch({ pid: 1 }).observe('s', 'ann', 5, 500).unchangedMs).toBe(0);
  expect(readdirSync(stateDir)).toEqual([]);
});

test('two real processes share one watch by the monotonic clock of the machine [R36]', async () => {
  const { stateDir } = open();
  const look = async () => {
    const child = nodeProcess(`
      import { selfIdentity } from ${sourceUrl('process-identity.ts')};
      import { Watch } from ${sourceUrl('watch.ts')};
      const watch = new Watch(${JSON.stringify(stateDir)}, selfIdentity());
      console.log(JSON.stringify(watch.observe('s', 'ann', 5, 1_000_000)));`);
    const [line] = await once(child.stdout, 'data');
    return JSON.parse(String(line)) as { unchangedMs: number; remainingMs: number };
  };
  expect((await look()).unchangedMs).toBe(0);
  const second = await look();
  expect(second.unchangedMs).toBeGreaterThan(0);
  expect(second.unchangedMs + second.remainingMs).toBeCloseTo(1_000_000, 3);
});
