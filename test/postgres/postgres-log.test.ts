import { nanoid } from 'nanoid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CommitDraft } from '../../src/state/log/commit-log.ts';
import { openPostgresLog, type PostgresLog } from '../../src/state/log/postgres/postgres-log.ts';
import { type PostgresServer, startPostgres } from './start-postgres.ts';

let server: PostgresServer;
const open: PostgresLog[] = [];

beforeAll(async () => {
  server = await startPostgres();
});

afterAll(async () => {
  await Promise.all(open.map((log) => log.close()));
  await server.stop();
});

function openLog(workspace: string): PostgresLog {
  const log = openPostgresLog({ url: server.url, workspace, knowsEvent: (type) => type.startsWith('test.') });
  open.push(log);
  return log;
}

function draft(text: string): CommitDraft {
  return {
    id: nanoid(),
    at: new Date().toISOString(),
    by: { agent: 'ann' },
    command: { type: 'test' },
    events: [{ type: 'test.done', text } as never],
  };
}

/** Appends as a command does: read, try, read again after a conflict. */
async function append(log: PostgresLog, text: string): Promise<number> {
  let version = (await log.read(0)).length;
  for (;;) {
    const result = await log.append(draft(text), version);
    if ('appended' in result) return result.appended.version;
    version = result.conflict;
  }
}

test('eight writers with twenty appends each lose none and share no version [R13]', async () => {
  const logs = Array.from({ length: 8 }, () => openLog('race'));
  const versions = await Promise.all(
    logs.flatMap((log, at) => Array.from({ length: 20 }, (_, n) => append(log, `${at}-${n}`))),
  );
  expect(new Set(versions).size).toBe(160);
  const commits = await openLog('race').read(0);
  expect(commits.map((commit) => commit.version)).toEqual(Array.from({ length: 160 }, (_, at) => at + 1));
  const texts = commits.map((commit) => (commit.events[0] as unknown as { text: string }).text);
  expect(new Set(texts).size).toBe(160);
});

test('two workspaces of one database do not see each other [R12]', async () => {
  await append(openLog('left'), 'left');
  expect(await openLog('right').read(0)).toEqual([]);
});

test('a watcher on another connection hears of a commit', async () => {
  const writer = openLog('watched');
  await append(writer, 'first');
  const reader = openLog('watched');
  const heard = new Promise<void>((resolve) => {
    let calls = 0;
    // The first call says that it listens from now on.
    const stop = reader.watch(() => {
      calls++;
      if (calls === 1) void append(writer, 'second');
      else {
        stop();
        resolve();
      }
    });
  });
  await heard;
  expect(await reader.read(1)).toHaveLength(1);
});

test('a server that is cut off and starts again loses nothing acknowledged and doubles nothing [R13]', async () => {
  const log = openLog('restart');
  const acknowledged: string[] = [];
  let isOver = false;
  const writing = (async () => {
    for (let n = 0; !isOver; n++) {
      await append(log, `n${n}`);
      acknowledged.push(`n${n}`);
    }
  })();
  for (let round = 0; round < 3; round++) {
    await new Promise((resolve) => setTimeout(resolve, 300));
    await server.restart();
  }
  isOver = true;
  await writing;
  const texts = (await openLog('restart').read(0)).map(
    (commit) => (commit.events[0] as unknown as { text: string }).text,
  );
  expect(acknowledged.length).toBeGreaterThan(3);
  expect(texts).toEqual(acknowledged);
});

test('a log that a newer version wrote to is read-only, and says so [R30]', async () => {
  const log = openLog('newer');
  await append(log, 'known');
  const version = (await log.read(0)).length;
  const other = openPostgresLog({ url: server.url, workspace: 'newer' });
  open.push(other);
  await other.read(0);
  await other.append({ ...draft('x'), events: [{ type: 'future.thing' }] }, version);
  await expect(log.read(0)).rejects.toMatchObject({ code: 'newer-format' });
  expect((await log.health()).problem?.code).toBe('newer-format');
});
