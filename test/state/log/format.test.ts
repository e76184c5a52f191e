import { appendFileSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { hashLine } from '../../../src/state/log/codec.ts';
import { draftOf, said, say } from '../../contract/drafts.ts';
import { type TempLog, tempLog } from './temp-log.ts';

/** Adds a line that follows the last one, as a server of another version would. */
function addLine(temp: TempLog, fields: object): void {
  const lines = readFileSync(temp.path(1), 'utf8').split('\n').slice(0, -1);
  const last = lines[lines.length - 1] ?? '';
  const commit = { v: 1, version: lines.length + 1, prev: hashLine(Buffer.from(last)), ...draftOf('new'), ...fields };
  appendFileSync(temp.path(1), `${JSON.stringify(commit)}\n`);
}

for (const [name, fields, what] of [
  ['of a newer format', { v: 2 }, 'format 2'],
  ['with an event that this version does not know', { events: [{ type: 'todo.danced' }] }, 'todo.danced'],
] as const) {
  test(`a commit ${name} makes the log read-only, with what it is and where [R30]`, async () => {
    const temp = tempLog();
    const knowsEvent = (type: string) => type === 'test.said';
    const log = temp.open({ knowsEvent });
    await say(log, 'a');
    addLine(temp, fields);
    const before = readFileSync(temp.path(1));
    for (const each of [log, temp.open({ knowsEvent })]) {
      const refusal = { code: 'newer-format', message: expect.stringContaining(what), details: { lastGoodVersion: 1 } };
      expect(said(await each.read(0))).toEqual(['a']);
      await expect(each.read(1)).rejects.toMatchObject(refusal);
      await expect(each.append(draftOf('b'), 1)).rejects.toMatchObject(refusal);
      expect((await each.health()).problem?.code).toBe('newer-format');
    }
    expect(readFileSync(temp.path(1))).toEqual(before);
  });
}

test('a log that begins with a feature this version does not have is of a newer format [R30]', async () => {
  const temp = tempLog();
  await say(temp.open(), 'x');
  const [line = ''] = readFileSync(temp.path(1), 'utf8').split('\n');
  const other = tempLog();
  await say(other.open(), 'x');
  const { writeFileSync } = await import('node:fs');
  writeFileSync(other.path(1), `${line.replace('"features":[]', '"features":["zip"]')}\n`);
  await expect(other.open().read(0)).rejects.toMatchObject({ code: 'newer-format' });
});

test('two versions of the server share a log until the newer one writes what the older does not know [R30]', async () => {
  const temp = tempLog();
  const older = temp.open({ knowsEvent: (type) => type === 'test.said' });
  const newer = temp.open({ knowsEvent: () => true });
  await say(older, 'a');
  await say(newer, 'b');
  await say(older, 'c');
  const events = [{ type: 'todo.danced' }];
  expect(await newer.append({ ...draftOf('d'), events }, 3)).toHaveProperty('appended');
  await expect(older.append(draftOf('e'), 3)).rejects.toMatchObject({ code: 'newer-format' });
  expect(await say(newer, 'f')).toBe(5);
});
