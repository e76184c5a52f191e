import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { evolveCommit } from '../../src/state/kernel/evolve.ts';
import { initialState, type State } from '../../src/state/kernel/state.ts';
import { stateFromJson } from '../../src/state/kernel/state-json.ts';
import type { Commit } from '../../src/state/log/commit-log.ts';
import type { FileLog } from '../../src/state/log/file-log.ts';
import { MemoryStore } from '../../src/state/log/memory-log.ts';
import { factsOf, Replica } from '../../src/state/replica.ts';
import { SnapshotKeeper } from '../../src/state/snapshot.ts';
import { Simulation } from '../simulation/simulation.ts';
import { dump } from './kernel/dump.ts';
import { type TempLog, tempLog } from './log/temp-log.ts';

const between = 10;

async function livelyCommits(seed: number): Promise<readonly Commit[]> {
  const store = new MemoryStore();
  await new Simulation(seed, store).run(150);
  return store.commits;
}

function fold(commits: readonly Commit[]): State {
  return commits.reduce((state, commit) => evolveCommit(state, factsOf(commit)), initialState());
}

interface Opened {
  readonly log: FileLog;
  readonly replica: Replica;
}

/** As a server opens it: the version before anything is read tells whether it began at a snapshot. */
function open(temp: TempLog): Opened {
  const log = temp.open();
  return { log, replica: new Replica(log, new SnapshotKeeper(temp.stateDir, log, between)) };
}

async function store({ log, replica }: Opened, commits: readonly Commit[]): Promise<void> {
  for (const commit of commits) {
    const result = await log.append(commit, (await replica.catchUp()).version);
    if (!('appended' in result)) throw new Error('Nobody else writes here.');
    replica.follow([result.appended]);
  }
}

const path = (temp: TempLog) => join(temp.stateDir, 'snapshot.json');

test('a state comes back from JSON as it was, and goes on as it would have', async () => {
  for (const seed of [1, 2, 3, 4, 5]) {
    const commits = await livelyCommits(seed);
    for (const at of [0, 1, commits.length >> 1, commits.length]) {
      const state = fold(commits.slice(0, at));
      const back = stateFromJson(JSON.parse(JSON.stringify(state)));
      expect(dump(back)).toBe(dump(state));
      const goOn = (from: State) => commits.slice(at).reduce((s, commit) => evolveCommit(s, factsOf(commit)), from);
      expect(dump(goOn(back))).toBe(dump(fold(commits)));
    }
  }
});

test('a process that opens a log with a snapshot begins there and comes to the same state', async () => {
  const temp = tempLog();
  const commits = await livelyCommits(11);
  await store(open(temp), commits);
  const { replica, log } = open(temp);
  expect(replica.state.version).toBeGreaterThan(between);
  const whole = new Replica(log);
  expect(dump(await replica.catchUp())).toBe(dump(await whole.catchUp()));
});

test('a snapshot is one file of JSON, and no other file is left beside it', async () => {
  const temp = tempLog();
  await store(open(temp), await livelyCommits(11));
  expect(readdirSync(temp.stateDir).sort()).toEqual(['.gitignore', 'log', 'snapshot.json']);
  expect(JSON.parse(readFileSync(path(temp), 'utf8'))).toHaveProperty('state.version');
});

test('deleting the snapshot loses nothing', async () => {
  const temp = tempLog();
  const commits = await livelyCommits(12);
  await store(open(temp), commits);
  rmSync(path(temp));
  const { replica } = open(temp);
  expect(replica.state.version).toBe(0);
  expect(dump(await replica.catchUp())).toBe(dump(await new Replica(temp.open()).catchUp()));
});

for (const [name, spoil] of [
  ['cut short', (text: string) => text.slice(0, text.length >> 1)],
  ['changed in one digit', (text: string) => text.replace('"state":{"version":', '"state":{"version":1')],
  ['empty', () => ''],
  ['no object', () => 'null'],
] as const) {
  test(`a snapshot that is ${name} is passed over in silence [R14]`, async () => {
    const temp = tempLog();
    const commits = await livelyCommits(13);
    await store(open(temp), commits);
    const before = readFileSync(path(temp), 'utf8');
    writeFileSync(path(temp), spoil(before));
    expect(readFileSync(path(temp), 'utf8')).not.toBe(before);
    const { replica, log } = open(temp);
    expect(replica.state.version).toBe(0);
    expect((await replica.catchUp()).version).toBe(commits.length);
    expect((await log.health()).problem).toBeUndefined();
  });
}

test('a snapshot of another log is passed over in silence', async () => {
  const [temp, other] = [tempLog(), tempLog()];
  await store(open(other), await livelyCommits(14));
  await store(open(temp), (await livelyCommits(15)).slice(0, 5));
  writeFileSync(path(temp), readFileSync(path(other)));
  const { replica, log } = open(temp);
  expect(replica.state.version).toBe(0);
  expect((await replica.catchUp()).version).toBe(5);
  expect((await log.health()).problem).toBeUndefined();
});

test('a snapshot that another kernel folded is passed over in silence [R30]', async () => {
  const temp = tempLog();
  const commits = await livelyCommits(19);
  await store(open(temp), commits);
  const { sha256: _, ...snapshot } = JSON.parse(readFileSync(path(temp), 'utf8'));
  const rest = JSON.stringify({ ...snapshot, kernel: 'another' }).slice(1);
  writeFileSync(path(temp), `{"sha256":"${createHash('sha256').update(rest).digest('hex')}",${rest}`);
  const { replica } = open(temp);
  expect(replica.state.version).toBe(0);
  expect((await replica.catchUp()).version).toBe(commits.length);
});

test('a log that lost what a snapshot proves is damaged [R14]', async () => {
  const temp = tempLog();
  await store(open(temp), await livelyCommits(16));
  const lines = readFileSync(temp.path(1), 'utf8').split('\n');
  writeFileSync(temp.path(1), `${lines.slice(0, 3).join('\n')}\n`);
  await expect(open(temp).replica.catchUp()).rejects.toMatchObject({
    code: 'store-damaged',
    message: expect.stringContaining('snapshot'),
  });
});

test('reading alone takes no snapshot [R14]', async () => {
  const temp = tempLog();
  await store({ log: temp.open(), replica: new Replica(temp.open()) }, await livelyCommits(17));
  expect(existsSync(path(temp))).toBe(false);
  await open(temp).replica.catchUp();
  expect(existsSync(path(temp))).toBe(false);
});

test('processes side by side take one snapshot between them, not one each', async () => {
  const temp = tempLog();
  const processes = [open(temp), open(temp), open(temp)] as const;
  const commits = await livelyCommits(18);
  let changes = 0;
  let last = '';
  for (const [at, commit] of commits.entries()) {
    await store(processes[at % processes.length] as Opened, [commit]);
    const now = existsSync(path(temp)) ? readFileSync(path(temp), 'utf8').slice(0, 200) : '';
    if (now !== last) changes++;
    last = now;
  }
  expect(changes).toBeGreaterThan(0);
  expect(changes).toBeLessThanOrEqual(commits.length / between);
});
