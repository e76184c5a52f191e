import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Faults } from '../../../src/state/log/faults.ts';
import type { FileLog } from '../../../src/state/log/file-log.ts';
import { segmentsIn } from '../../../src/state/log/segment-file.ts';
import { draftOf, said, say } from '../../contract/drafts.ts';
import { readByTheRule } from '../../crash/independent-reader.ts';
import { type TempLog, tempLog } from './temp-log.ts';

function failing(point: string, code: string, times = 1): Faults {
  let left = times;
  return {
    at: (reached) => {
      if (reached === point && left-- > 0) throw Object.assign(new Error(`${code}: planted`), { code });
    },
  };
}

test('a failed fdatasync leaves the outcome unknown and every process read-only [R14]', async () => {
  const temp = tempLog();
  const other = temp.open();
  await say(other, 'a');
  const log = temp.open({ faults: failing('before-sync', 'EIO') });
  await expect(log.append(draftOf('b'), 1)).rejects.toMatchObject({ code: 'outcome-unknown' });
  const readOnly = { code: 'store-read-only', message: expect.stringContaining('fdatasync') };
  for (const each of [log, other, temp.open()]) {
    await expect(each.append(draftOf('c'), 2)).rejects.toMatchObject(readOnly);
    expect((await each.health()).problem).toMatchObject(readOnly);
    expect(said(await each.read(0))).toEqual(['a', 'b']);
  }
});

test('a failed fdatasync is not tried again, even where its marker cannot be left [R14]', async () => {
  const temp = tempLog();
  await say(temp.open(), 'a');
  let syncs = 0;
  const at: Faults['at'] = (point) => {
    if (point !== 'before-sync') return;
    syncs++;
    // A folder in the place of the marker: the marker cannot be written.
    mkdirSync(join(temp.folder, 'sync-failed'));
    throw Object.assign(new Error('planted'), { code: 'EIO' });
  };
  const log = temp.open({ faults: { at } });
  await expect(log.append(draftOf('b'), 1)).rejects.toMatchObject({ code: 'outcome-unknown' });
  rmSync(join(temp.folder, 'sync-failed'), { recursive: true });
  await expect(log.append(draftOf('c'), 2)).rejects.toMatchObject({ code: 'store-read-only' });
  await expect(log.sync()).rejects.toMatchObject({ code: 'store-read-only' });
  expect(syncs).toBe(1);
});

test('an answer that rests on what another process wrote is synced first, once [R14]', async () => {
  const temp = tempLog();
  await say(temp.open(), 'a');
  let syncs = 0;
  const log = temp.open({ faults: { at: (point) => void (point === 'after-sync' && syncs++) } });
  await log.read(0);
  await log.sync();
  await log.sync();
  expect(syncs).toBe(1);
});

test('a full disk is a refusal that says nothing was written, and is over when there is room again', async () => {
  const temp = tempLog();
  await say(temp.open(), 'a');
  const log = temp.open({ faults: failing('before-write', 'ENOSPC') });
  await expect(log.append(draftOf('b'), 1)).rejects.toMatchObject({
    code: 'store-read-only',
    message: expect.stringMatching(/the disk is full, ENOSPC.*nothing was written/),
  });
  expect(await say(log, 'c')).toBe(2);
  expect(said(await temp.open().read(0))).toEqual(['a', 'c']);
});

test('a disk that is full in the middle of a line leaves an inert piece of it', async () => {
  const temp = tempLog();
  await say(temp.open(), 'a');
  let writes = 0;
  const log = temp.open({
    faults: {
      at: (point) => {
        if (point === 'before-write' && ++writes === 2) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
      },
      shortWrite: () => (writes === 1 ? 30 : undefined),
    },
  });
  await expect(log.append(draftOf('b'), 1)).rejects.toMatchObject({ code: 'store-read-only' });
  expect(await say(log, 'c')).toBe(2);
  expect(readByTheRule(temp.folder)).toHaveLength(2);
});

test('a write that failed for the system but is in the log counts as written', async () => {
  const temp = tempLog();
  const log = temp.open({ faults: failing('after-write', 'EIO') });
  expect(await log.append(draftOf('a'), 0)).toHaveProperty('appended');
  expect(said(await temp.open().read(0))).toEqual(['a']);
});

/** A machine whose disk keeps only what was synced. */
class Machine {
  readonly temp: TempLog;
  readonly synced = new Map<string, number>();
  readonly acknowledged: { readonly text: string; readonly version: number }[] = [];
  #fault: { point: string; nth: number } | undefined;

  constructor() {
    this.temp = tempLog();
  }

  open(): FileLog {
    return this.temp.open({ segmentBytesMax: 700, faults: { at: (point, path) => this.#at(point, path) } });
  }

  async say(log: FileLog, text: string, fault?: { point: string; nth: number }): Promise<void> {
    this.#fault = fault && { ...fault };
    const version = await say(log, text);
    this.acknowledged.push({ text, version });
  }

  #at(point: string, path: string): void {
    if (this.#fault?.point === point && --this.#fault.nth === 0) throw new Error('this process ends here');
    if (point === 'after-sync') this.synced.set(path, statSync(path).size);
  }

  losePower(): void {
    for (const segment of segmentsIn(this.temp.folder)) {
      const path = this.temp.path(segment);
      const size = this.synced.get(path) ?? 0;
      if (existsSync(path)) truncateSync(path, size);
    }
  }
}

test('loss of power takes no acknowledged commit, wherever processes ended before it [R14]', async () => {
  const step = fc.record({
    process: fc.nat(2),
    point: fc.constantFrom('before-write', 'after-write', 'before-sync', 'at-seal', undefined),
    nth: fc.integer({ min: 1, max: 2 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
      const machine = new Machine();
      const processes = [machine.open(), machine.open(), machine.open()];
      for (const [at, { process, point, nth }] of steps.entries()) {
        const log = processes[process] as FileLog;
        try {
          await machine.say(log, `${at}`, point && { point, nth });
        } catch {
          // The process is dead, and a dead one leaves no marker.
          rmSync(join(machine.temp.folder, 'sync-failed'), { force: true });
          processes[process] = machine.open();
        }
      }
      machine.losePower();
      const texts = readByTheRule(machine.temp.folder).map(({ events }) => events[0]?.text);
      for (const { text, version } of machine.acknowledged) expect(texts[version - 1]).toBe(text);
      const next = await say(machine.temp.open(), 'next');
      expect(readByTheRule(machine.temp.folder)[next - 1]?.events[0]?.text).toBe('next');
    }),
    { numRuns: 60 },
  );
}, 60_000);

test('whoever goes on after a seal that nobody synced syncs it first [R14]', async () => {
  const machine = new Machine();
  const first = machine.open();
  // The third commit makes the segment big enough; its seal is written, and then nothing more happens to this process.
  for (const text of ['a', 'b', 'c']) await machine.say(first, text);
  const sealedSize = statSync(machine.temp.path(1)).size;
  expect(readFileSync(machine.temp.path(1), 'utf8')).toContain('segment.sealed');
  expect(machine.synced.get(machine.temp.path(1))).toBeLessThan(sealedSize);
  await machine.say(machine.open(), 'd');
  machine.losePower();
  expect(statSync(machine.temp.path(1)).size).toBe(sealedSize);
  expect(said(await machine.temp.open().read(0))).toEqual(['a', 'b', 'c', 'd']);
});

test('a write and a read back that both fail leave the outcome unknown, not "nothing was written" [R13]', async () => {
  const temp = tempLog();
  const at: Faults['at'] = (point) => {
    if (point !== 'after-write') return;
    // The line is in the file, and then the file can be neither named nor read any more.
    renameSync(temp.path(1), `${temp.path(1)}.away`);
    mkdirSync(temp.path(1));
    throw Object.assign(new Error('planted'), { code: 'EIO' });
  };
  const log = temp.open({ faults: { at } });
  const error = await log.append(draftOf('a'), 0).catch((refused: unknown) => refused);
  expect(error).toMatchObject({ code: 'outcome-unknown' });
  expect((error as Error).message).not.toContain('nothing was written');
});

test('a folder that could not be opened for its sync makes the log read-only for nobody [R14]', async () => {
  const temp = tempLog();
  await say(temp.open(), 'a');
  let left = 1;
  const at: Faults['at'] = (point) => {
    if (point === 'after-sync' && left-- > 0) {
      throw Object.assign(new Error('planted'), { code: 'EMFILE', syscall: 'open' });
    }
  };
  const log = temp.open({ faults: { at } });
  await expect(log.append(draftOf('b'), 1)).rejects.toMatchObject({ code: 'outcome-unknown' });
  await say(log, 'c');
  expect(said(await temp.open().read(0))).toEqual(['a', 'b', 'c']);
});

test('a disk that failed for another process while this one synced is not believed [R13]', async () => {
  const temp = tempLog();
  await say(temp.open(), 'a');
  const at: Faults['at'] = (point) => {
    // The system tells the failure to the other process alone, which leaves its marker.
    if (point === 'after-sync') writeFileSync(join(temp.folder, 'sync-failed'), '{}\n');
  };
  await expect(temp.open({ faults: { at } }).append(draftOf('b'), 1)).rejects.toMatchObject({
    code: 'outcome-unknown',
  });
});
