import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildSync } from 'esbuild';
import { expect, test } from 'vitest';
import { openFileLog } from '../../../src/state/log/file-log.ts';
import { draftOf, say } from '../../contract/drafts.ts';
import { tempLog } from './temp-log.ts';

const isRoot = process.getuid?.() === 0;

test('opening, reading, syncing and asking for health write nothing [R14]', async () => {
  const temp = tempLog();
  const log = temp.open();
  expect(await log.read(0)).toEqual([]);
  await log.sync();
  await log.health();
  log.watch(() => undefined)();
  await expect(log.append(draftOf('too big', 300_000), 0)).rejects.toMatchObject({ code: 'too-large' });
  expect(await log.append(draftOf('late'), 7)).toEqual({ conflict: 0 });
  expect(readdirSync(dirname(temp.stateDir))).toEqual([]);
});

test('the first append makes a folder for this user alone that git does not see [R12]', async () => {
  const temp = tempLog();
  await say(temp.open(), 'a');
  expect(statSync(temp.stateDir).mode & 0o777).toBe(0o700);
  expect(statSync(temp.path(1)).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(temp.stateDir, '.gitignore'), 'utf8')).toBe('*\n');
});

test('a folder that everybody can write is refused', async () => {
  const temp = tempLog();
  await say(temp.open(), 'a');
  chmodSync(temp.folder, 0o777);
  await expect(temp.open().append(draftOf('b'), 1)).rejects.toMatchObject({
    code: 'store-read-only',
    message: expect.stringMatching(/written by everybody.*nothing was written/),
  });
});

test('a folder of another user is refused', async () => {
  const temp = tempLog();
  // Only root can give a folder away; for anyone else the root folder is another user's.
  const stateDir = isRoot ? temp.stateDir : '/';
  if (isRoot) {
    mkdirSync(stateDir);
    chownSync(stateDir, 12_345, 12_345);
  }
  await expect(openFileLog({ stateDir }).append(draftOf('a'), 0)).rejects.toMatchObject({
    code: 'store-read-only',
    message: expect.stringContaining('belongs to another user'),
  });
});

test('a file system that is not known to be local is refused with advice', async () => {
  await expect(openFileLog({ stateDir: '/proc/loopx' }).append(draftOf('a'), 0)).rejects.toMatchObject({
    code: 'store-read-only',
    message: expect.stringMatching(/nothing was written.*LOOPX_STORE=postgres/),
  });
});

test('a link in the place of the state folder, of the log or of a segment is not followed', async () => {
  for (const at of ['stateDir', 'folder', 'segment'] as const) {
    const temp = tempLog();
    const elsewhere = `${temp.stateDir}-elsewhere`;
    mkdirSync(elsewhere);
    if (at !== 'stateDir') mkdirSync(temp.stateDir);
    if (at === 'segment') mkdirSync(temp.folder);
    symlinkSync(at === 'segment' ? join(elsewhere, 'x') : elsewhere, at === 'segment' ? temp.path(1) : temp[at]);
    await expect(temp.open().append(draftOf('a'), 0)).rejects.toMatchObject({ code: 'store-read-only' });
    expect(readdirSync(elsewhere)).toEqual([]);
  }
});

test('a folder in the place of a segment is a refusal, not a crash', async () => {
  const temp = tempLog();
  mkdirSync(temp.path(1), { recursive: true });
  await expect(temp.open().read(0)).rejects.toMatchObject({ code: 'store-read-only' });
});

test('a user who may not write reads the log and is told that nothing was written [R11]', async () => {
  const temp = tempLog();
  await say(temp.open(), 'a');
  const root = dirname(temp.stateDir);
  const script = join(root, 'reader.mjs');
  buildSync({
    stdin: {
      contents: `import { openFileLog } from './src/state/log/file-log.ts';
        import { draftOf } from './test/contract/drafts.ts';
        const log = openFileLog({ stateDir: process.argv[2] });
        const said = (await log.read(0)).length;
        const refusal = await log.append(draftOf('b'), 1).catch((error) => error.code + ' ' + error.message);
        console.log(JSON.stringify({ said, refusal, problem: (await log.health()).problem?.code }));`,
      resolveDir: process.cwd(),
    },
    outfile: script,
    bundle: true,
    platform: 'node',
    format: 'esm',
  });
  for (const path of [root, temp.stateDir, temp.folder]) chmodSync(path, 0o755);
  chmodSync(temp.path(1), 0o444);
  const user = isRoot ? { uid: 65_534, gid: 65_534 } : {};
  const { stdout } = spawnSync(process.execPath, [script, temp.stateDir], { ...user, encoding: 'utf8' });
  const told = JSON.parse(stdout);
  expect(told).toMatchObject({ said: 1, problem: 'store-read-only' });
  expect(told.refusal).toMatch(/^store-read-only .*nothing was written/);
  expect(existsSync(temp.path(2))).toBe(false);
});

test.each(['state', 'log'])(
  'a link in the place of the %s folder is not written through, though a log is behind it [R14]',
  async (name) => {
    const elsewhere = tempLog();
    await say(elsewhere.open(), 'a');
    const temp = tempLog();
    if (name === 'state') symlinkSync(elsewhere.stateDir, temp.stateDir);
    else {
      mkdirSync(temp.stateDir, { mode: 0o700 });
      symlinkSync(elsewhere.folder, temp.folder);
    }
    const log = temp.open();
    await expect(log.append(draftOf('b'), 1)).rejects.toMatchObject({ code: 'store-read-only' });
    expect((await log.health()).problem?.code).toBe('store-read-only');
    expect(await elsewhere.open().read(1)).toEqual([]);
  },
);
