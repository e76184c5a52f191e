import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LoopxClient } from '../e2e/loopx-client.ts';
import { mainPath, Place } from './loopx.ts';

let place: Place;
let host: LoopxClient | undefined;
beforeEach(() => {
  place = new Place();
});
afterEach(async () => {
  await host?.close();
  host = undefined;
  place.remove();
});

test.each([
  ['CLAUDE_CODE_SESSION_ID', 'its host session'],
  ['LOOPX_SESSION', 'its name for the session'],
])('a command in a shell of the host acts as the agent of that live session: %s [R12]', async (variable) => {
  host = await LoopxClient.start({ projectDir: place.project, agent: 'ann', env: { [variable]: 's-1' } });
  await host.call('goal_start', { goal: 'g', objective: 'Ship', todos: [{ title: 'a' }] });
  const { claim } = await host.call('todo_claim', { todo: 'T1' });
  const noted = place.run(
    ['todo', 'update', '--todo', 'T1', '--token', String(claim.token), '--note', 'by the shell', '--json'],
    {
      env: { [variable]: 's-1' },
    },
  );
  expect(noted.json).toMatchObject({ ok: true, you: 'ann', todo: { todo: 'T1' } });
  const stranger = place.run(['todo', 'update', '--todo', 'T1', '--note', 'not me', '--agent', 'ann', '--json']);
  expect(stranger).toMatchObject({ code: 1, json: { ok: false, code: 'agent-in-use' } });
});

test('people and agents see the same facts by the command line and over MCP [R12] [R34]', async () => {
  host = await LoopxClient.start({ projectDir: place.project, agent: 'ann' });
  await host.call('goal_start', { goal: 'g', objective: 'Ship', todos: [{ title: 'a', scope: { paths: ['a/**'] } }] });
  const args = { goal: 'g', id: 'T1' };
  const { asOf: _, you: __, ...overMcp } = await host.call('goal_status', args);
  const { asOf, you, ...onLine } = place.run(['goal', 'status', '--goal', 'g', '--id', 'T1', '--json']).json;
  expect(onLine).toEqual(overMcp);
});

test('HOME and PATH are all it needs, and a home that cannot be written is no hindrance [R11]', () => {
  const env = { HOME: '/proc/none' };
  expect(place.run(['goal', 'start', '--objective', 'Ship', '--json'], { env })).toMatchObject({ code: 0, stderr: '' });
  expect(place.run(['status'], { env }).code).toBe(0);
});

test('a workspace that cannot be written is a clear refusal, and nothing is made there [R11]', () => {
  const { code, json } = place.run(['goal', 'start', '--objective', 'Ship', '--workspace', '/proc/self', '--json']);
  expect(code).toBe(3);
  expect(json).toMatchObject({
    ok: false,
    code: 'store-read-only',
    message: expect.stringContaining('nothing was written'),
  });
  expect(existsSync('/proc/self/.loopx')).toBe(false);
});

test('an older Node gets one clear sentence and no stack [R32]', () => {
  const older =
    "data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'18.19.0'}})";
  for (const args of [[], ['status'], ['serve']]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', older, mainPath, ...args], {
      cwd: place.project,
      env: place.env,
      input: '',
      encoding: 'utf8',
    });
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr.trim().split('\n')).toEqual([expect.stringContaining('needs Node 20 or newer')]);
  }
  expect(existsSync(join(place.project, '.loopx'))).toBe(false);
});
