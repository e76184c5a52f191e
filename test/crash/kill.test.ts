import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { faultPoints } from '../../src/state/log/faults.ts';
import { say } from '../contract/drafts.ts';
import { tempLog } from '../state/log/temp-log.ts';
import { readByTheRule } from './independent-reader.ts';
import { expectAllKept, Writer } from './writers.ts';

const rounds = Number(process.env.LOOPX_CRASH_ROUNDS ?? 8);

test(
  `kill -9 in the middle of ${rounds} rounds of 8 writers loses no acknowledged commit [R14]`,
  async () => {
    const { stateDir, folder, open } = tempLog();
    const writers: Writer[] = [];
    for (let round = 1; round <= rounds; round++) {
      const killed = Array.from(
        { length: 8 },
        (_, at) =>
          new Writer({
            stateDir,
            name: `r${round}p${at}`,
            count: 1e9,
            parallel: 2,
            segmentBytesMax: 100_000,
            padBytes: at === 0 ? 200_000 : 100,
          }),
      );
      writers.push(...killed);
      await Promise.all(killed.map((writer) => writer.ready));
      for (const writer of killed) writer.go();
      for (const writer of killed) {
        await sleep(Math.random() * 30);
        writer.process.kill('SIGKILL');
      }
      await Promise.all(killed.map((writer) => writer.ended));
      // Each round is followed by a process that opens what is left.
      await say(open(), `after-${round}`);
    }
    const texts = expectAllKept(folder, writers);
    expect(writers.reduce((sum, { acknowledged }) => sum + acknowledged.size, 0)).toBeGreaterThan(rounds);
    expect(texts.filter((text) => text.startsWith('after-'))).toHaveLength(rounds);
  },
  60_000 + rounds * 20_000,
);

for (const point of faultPoints) {
  for (const nth of [1, 3]) {
    test(`a process that dies ${point} number ${nth} leaves a log that goes on with all it acknowledged [R14]`, async () => {
      const { stateDir, folder, open } = tempLog();
      const fault = `${point} ${nth}`;
      const writer = new Writer({ stateDir, name: 'dying', count: 40, segmentBytesMax: 1_000, fault });
      await writer.ready;
      writer.go();
      await writer.ended;
      expect(writer.process.signalCode).toBe('SIGKILL');
      const log = open();
      expect((await log.health()).problem).toBeUndefined();
      await say(log, 'next');
      const texts = expectAllKept(folder, [writer]);
      expect(texts[texts.length - 1]).toBe('next');
      // What was not acknowledged may have come in or not, but not more than the one append under way.
      expect(texts.length - 1 - writer.acknowledged.size).toBeLessThanOrEqual(1);
    });
  }
}

test('writers that are stopped and go on later damage nothing and lose nothing [R13]', async () => {
  const { stateDir, folder } = tempLog();
  const writers = Array.from(
    { length: 4 },
    (_, at) => new Writer({ stateDir, name: `p${at}`, count: 60, segmentBytesMax: 4_000 }),
  );
  await Promise.all(writers.map((writer) => writer.ready));
  for (const writer of writers) writer.go();
  const isOver = Promise.all(writers.map((writer) => writer.ended)).then(() => true);
  for (let at = 0; !(await Promise.race([isOver, sleep(10, false)])); at++) {
    const stopped = writers[at % writers.length] as Writer;
    stopped.process.kill('SIGSTOP');
    await sleep(10 + Math.random() * 20);
    stopped.process.kill('SIGCONT');
  }
  expect(writers.map((writer) => writer.complaint).join('')).toBe('');
  expect(expectAllKept(folder, writers)).toHaveLength(240);
}, 120_000);

test('what a killed process wrote last is kept or not, but the same for every later reader [R14]', async () => {
  const { stateDir, folder, open } = tempLog();
  const writer = new Writer({ stateDir, name: 'dying', count: 5, fault: 'before-sync 3' });
  await writer.ready;
  writer.go();
  await writer.ended;
  const first = readByTheRule(folder);
  expect(await open().read(0)).toEqual(first);
  expect(await open().read(0)).toEqual(first);
});
