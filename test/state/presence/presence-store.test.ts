import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { findByHostSession, findByLoopxSession } from '../../../src/state/presence/presence.ts';
import { PresenceStore } from '../../../src/state/presence/presence-store.ts';
import { selfIdentity } from '../../../src/state/presence/process-identity.ts';
import { SessionPresence } from '../../../src/state/presence/session-presence.ts';
import { livingProcess, nodeProcess, recordOf, sourceUrl, temporaryStateDir } from './temp.ts';

const self = selfIdentity();
const dayMs = 24 * 3_600_000;

function open(stateDir = temporaryStateDir()) {
  return { stateDir, store: new PresenceStore(stateDir, self) };
}

test('nothing is written before the first tool call, not even by reading, beating or ending [R14]', () => {
  const { stateDir, store } = open();
  const presence = new SessionPresence(store, { session: 's1', kind: 'mcp', host: 'h' });
  store.list();
  store.read('s1');
  presence.beat(1, 60);
  presence.end(2);
  expect(existsSync(stateDir)).toBe(false);
  expect(presence.touch('ann', 3)).toBe(true);
  expect(store.read('s1')).toMatchObject({ session: 's1', identity: self, agents: { ann: { beat: 1 } } });
});

test('the state folder is made private and ignored by git, and a link in its place is not followed', () => {
  const { stateDir, store } = open();
  store.write(recordOf(process.pid));
  expect(statSync(stateDir).mode & 0o777).toBe(0o700);
  expect(statSync(store.folder).mode & 0o777).toBe(0o700);
  expect(readFileSync(join(stateDir, '.gitignore'), 'utf8')).toBe('*\n');
  const linked = open();
  const elsewhere = join(dirname(linked.stateDir), 'elsewhere');
  mkdirSync(elsewhere);
  symlinkSync(elsewhere, linked.stateDir);
  expect(linked.store.write(recordOf(process.pid))).toBe(false);
  expect(readdirSync(elsewhere)).toEqual([]);
});

test('a workspace that was removed is not made anew', () => {
  const { stateDir } = open();
  const store = new PresenceStore(join(stateDir, 'gone', '.loopx'), self);
  expect(store.write(recordOf(process.pid))).toBe(false);
  expect(existsSync(stateDir)).toBe(false);
});

test('a file that is damaged, too large, of another session, a pipe or a folder reads as nothing [R36]', () => {
  const { store } = open();
  const whole = recordOf(process.pid, { session: 'whole' });
  store.write(whole);
  const bad = {
    torn: JSON.stringify(whole).slice(0, 40),
    empty: '',
    array: '[]',
    negative: JSON.stringify({ ...whole, session: 'negative', identity: { pid: -1 } }),
    renamed: JSON.stringify(whole),
    large: `${JSON.stringify({ ...whole, session: 'large' })}${' '.repeat(300_000)}`,
  };
  for (const [name, text] of Object.entries(bad)) writeFileSync(join(store.folder, `${name}.json`), text);
  mkdirSync(join(store.folder, 'folder.json'));
  execFileSync('mkfifo', [join(store.folder, 'pipe.json')]);
  for (const name of [...Object.keys(bad), 'folder', 'pipe', '../presence/whole', 'missing']) {
    expect([name, store.read(name)]).toEqual([name, undefined]);
  }
  expect(store.list()).toEqual([whole]);
});

test('a reader never sees half a record while another process replaces it [R36]', async () => {
  const { stateDir, store } = open();
  const agents = Object.fromEntries(
    Array.from({ length: 300 }, (_, i) => [`agent-${i}`, { lastActivityAt: 1, beat: 1, beatAt: 1 }]),
  );
  const record = recordOf(process.pid, { session: 'busy', agents });
  const writer = nodeProcess(`
    import { PresenceStore } from ${sourceUrl('presence-store.ts')};
    import { selfIdentity } from ${sourceUrl('process-identity.ts')};
    const store = new PresenceStore(${JSON.stringify(stateDir)}, selfIdentity());
    const record = ${JSON.stringify(record)};
    for (let i = 1; i <= 1000; i++) store.write({ ...record, endedAt: i });`);
  const isOver = once(writer, 'exit').then(() => true);
  const seen = new Set<number | undefined>();
  await expect.poll(() => store.read('busy')?.endedAt, { timeout: 20_000, interval: 1 }).toBeDefined();
  while (!(await Promise.race([isOver, nextTurn(false)]))) seen.add(store.read('busy')?.endedAt);
  expect(seen.size).toBeGreaterThan(10);
  expect(seen).not.toContain(undefined);
  expect(store.read('busy')).toEqual({ ...record, endedAt: 1000 });
  expect(readdirSync(store.folder)).toEqual(['busy.json']);
});

test('a command-line call finds the live server of its host session, the last active of several [R29]', async () => {
  const { store } = open();
  const [first, second, gone] = [await livingProcess(), await livingProcess(), await livingProcess()];
  const at = (ms: number) => ({ agents: { ann: { lastActivityAt: ms, beat: 1, beatAt: ms } } });
  store.write(recordOf(first.pid, { session: 'first', hostSession: 'h', loopxSession: 'l', ...at(2) }));
  store.write(recordOf(second.pid, { session: 'second', hostSession: 'h', ...at(1) }));
  store.write(recordOf(gone.pid, { session: 'gone', hostSession: 'h', ...at(9) }));
  store.write(recordOf(first.pid, { session: 'ended', hostSession: 'h', endedAt: 9, ...at(9) }));
  store.write(recordOf(first.pid, { session: 'shell', kind: 'cli', hostSession: 'h', ...at(9) }));
  await gone.kill();
  expect(findByHostSession(store, 'h')?.session).toBe('first');
  expect(findByLoopxSession(store, 'l')?.session).toBe('first');
  expect(findByLoopxSession(store, 'second')?.session).toBe('second');
  expect(findByHostSession(store, 'other')).toBeUndefined();
});

test('ending keeps the first time and marks the record', () => {
  const { store } = open();
  store.write(recordOf(process.pid, { session: 's' }));
  store.end('s', 5);
  store.end('s', 9);
  expect(store.read('s')?.endedAt).toBe(5);
  expect(store.end('never-written', 5)).toBe(false);
});

test('a writer removes dead sessions and leftovers older than a day and keeps the living and the unknown', async () => {
  const { stateDir, store } = open();
  const [alive, gone] = [await livingProcess(), await livingProcess()];
  const records = {
    alive: recordOf(alive.pid, { session: 'alive' }),
    gone: recordOf(gone.pid, { session: 'gone' }),
    fresh: recordOf(gone.pid, { session: 'fresh' }),
    unknown: recordOf(gone.pid, { session: 'unknown', identity: { pid: gone.pid, bootId: 'another' } }),
    ancient: recordOf(gone.pid, { session: 'ancient', identity: { pid: gone.pid, bootId: 'another' } }),
  };
  await gone.kill();
  for (const record of Object.values(records)) store.write(record);
  writeFileSync(join(store.folder, '.gone.json.1.1.tmp'), '{');
  const age = (name: string, days: number) => {
    const when = new Date(Date.now() - days * dayMs);
    utimesSync(join(store.folder, name), when, when);
  };
  for (const name of ['alive.json', 'gone.json', 'unknown.json', '.gone.json.1.1.tmp']) age(name, 2);
  age('ancient.json', 40);
  new PresenceStore(stateDir, self).write(recordOf(process.pid, { session: 'writer' }));
  expect(readdirSync(store.folder).sort()).toEqual(['alive.json', 'fresh.json', 'unknown.json', 'writer.json']);
});
