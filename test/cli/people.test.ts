import { once } from 'node:events';
import { appendFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { version } from '../../src/version.ts';
import { Place } from './loopx.ts';

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place.remove());

const options = '[{"key":"yes","label":"Ship","effect":"approve"},{"key":"no","label":"Wait","effect":"deny"}]';

function startWithGate(): void {
  place.as(
    'ann',
    'goal',
    'start',
    '--goal',
    'g',
    '--objective',
    'Ship',
    '--todos',
    '[{"title":"publish"},{"title":"b","after":["T1"]}]',
  );
  place.as('ann', 'gate', 'ask', '--question', 'Ship now?', '--options', options, '--blocks', '{"todos":["T1"]}');
}

test('doctor names version, Node, platform, workspace and why, store, counts and what to do [R8]', () => {
  startWithGate();
  const { code, json } = place.run(['doctor', '--json']);
  expect(code).toBe(0);
  expect(json).toMatchObject({
    ok: true,
    version: 2,
    loopx: version,
    node: process.version,
    workspace: { root: place.project, source: 'cwd', tried: [] },
    store: { version: 2, where: join(place.project, '.loopx', 'log') },
    counts: { commits: 2, goals: 1, todos: 2, gates: 1, evidence: 0 },
    owner: { hasKey: false, minGrade: 'confirmed' },
    hints: [],
  });
});

test('doctor works outside a workspace, before anything was written, and writes nothing [R8] [R9]', () => {
  const outside = place.run(['doctor', '--json'], { cwd: place.home });
  expect(outside.code).toBe(1);
  expect(outside.json).toMatchObject({
    ok: false,
    code: 'no-workspace',
    workspace: { tried: [{ value: place.home }] },
  });
  expect(place.run(['doctor']).stdout).toContain('Nothing was ever written here');
  expect(existsSync(join(place.project, '.loopx'))).toBe(false);
});

test('a damaged log is named by doctor, and log export saves what is good before the damage [R14]', () => {
  startWithGate();
  const folder = join(place.project, '.loopx', 'log');
  const file = join(folder, readdirSync(folder)[0] as string);
  const good = readFileSync(file, 'utf8').trimEnd().split('\n');
  const forged = { ...JSON.parse(good[1] as string), version: 9, prev: 'f'.repeat(64) };
  appendFileSync(file, `${JSON.stringify(forged)}\n`);
  const exported = place.run(['log', 'export']);
  expect(exported.stdout.trimEnd().split('\n')).toEqual(good);
  writeFileSync(file, good.join('\n').replace('"v":1', '"v":2'));
  const { code, json } = place.run(['doctor', '--json']);
  expect(code).toBe(3);
  expect(json).toMatchObject({ ok: false, store: { problem: { code: 'newer-format' } } });
  const cut = place.run(['log', 'export']);
  expect(cut).toMatchObject({ code: 3, stdout: '' });
  expect(cut.stderr).toContain('newer-format');
});

test('log export prints every commit in order, or those after a version', () => {
  startWithGate();
  const versions = (...args: string[]) =>
    place
      .run(['log', 'export', ...args])
      .stdout.trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).version);
  expect(versions()).toEqual([1, 2]);
  expect(versions('--after', '1')).toEqual([2]);
});

test('gate list shows the open gates of all goals with what they hold, gate show the whole question', () => {
  startWithGate();
  expect(place.run(['gate', 'show', 'G7', '--json'])).toMatchObject({ code: 1, json: { code: 'not-found' } });
  place.as('ann', 'goal', 'start', '--goal', 'h', '--objective', 'Other');
  place.as('ann', 'gate', 'ask', '--goal', 'h', '--question', 'And this?', '--options', options);
  expect(place.run(['gate', 'list', '--json']).json).toMatchObject({
    ok: true,
    gates: [{ gate: 'G1' }, { gate: 'G2' }],
    total: 2,
  });
  expect(place.run(['gate', 'list', '--goal', 'g']).stdout).toMatch(/G1 \(g, open\) Ship now\?\n {3}holds T1/);
  expect(place.run(['gate', 'list', '--state', 'answered']).stdout).toContain('No such gate');
  expect(place.run(['gate', 'show', 'g1']).stdout).toContain('no: Wait (T1 is blocked until you lift it)');
});

test('what only the owner may do is refused without a terminal and changes nothing [R37]', () => {
  startWithGate();
  place.run(['goal', 'pause', 'g']);
  const before = place.as('ann', 'goal', 'status').version;
  for (const args of [
    ['gate', 'answer', 'G1', 'yes'],
    ['gate', 'withdraw', 'G1'],
    ['goal', 'resume', 'g'],
    ['goal', 'amend', 'g', '--amendment', '{"objective":"Ship more"}'],
    ['goal', 'amend', '--goal', 'g', '--change', 'usd: 20'],
    ['owner', 'init'],
    ['owner', 'grade', 'prompt'],
  ]) {
    const { code, json } = place.run([...args, '--json'], { input: 'yes\n' });
    expect({ code, refusal: json.code, message: json.message }).toEqual({
      code: 1,
      refusal: 'not-allowed',
      message: expect.stringContaining('no terminal'),
    });
  }
  expect(place.as('ann', 'goal', 'status').version).toBe(before);
  expect(place.run(['gate', 'answer', 'G1', 'perhaps', '--json'])).toMatchObject({
    code: 2,
    json: { details: { field: 'option' } },
  });
  expect(place.run(['goal', 'amend', 'g', '--amendment', '{"objective":7}', '--json']).code).toBe(2);
});

test('pausing and stopping need no terminal: a brake is free to pull', () => {
  startWithGate();
  expect(place.run(['goal', 'pause', '--note', 'holiday', '--json']).json).toMatchObject({
    ok: true,
    goal: { status: 'paused' },
  });
  expect(place.as('ann', 'quota', 'should-run')).toMatchObject({ decision: 'wait', code: 'goal-paused' });
  expect(place.run(['goal', 'stop', 'G']).stdout).toContain('g is stopped: Ship');
  expect(place.as('ann', 'quota', 'should-run')).toMatchObject({ decision: 'stop', code: 'goal-stopped' });
});

test('status, agents, history and diagnose say what needs whom', () => {
  startWithGate();
  expect(place.run(['status']).stdout).toMatch(/Waits for the owner:\n {2}G1 Ship now\?/);
  expect(place.run(['status', '--json']).json).toMatchObject({ ok: true, goal: { goal: 'g' } });
  expect(place.run(['agents']).stdout).toContain('ann: command-line (cli)');
  expect(place.run(['history']).stdout).toMatch(/^2 .* ann {2}gate\.asked G1\n1 /);
  expect(place.run(['history', '--kind', 'goal', '--json']).json.history).toHaveLength(1);
  expect(place.run(['diagnose']).stdout).toContain('T2 waits for G1, T1: b');
  place.as('ann', 'goal', 'start', '--goal', 'h', '--objective', 'Other');
  expect(place.run(['status']).stdout).toMatch(/\(g\): active.*\(h\): active/s);
  expect(place.run(['status', '--json']).json).toMatchObject({ ok: false, code: 'goal-ambiguous' });
});

test('watch prints the board again when another process changes it, and ends with 0 when it is stopped', async () => {
  startWithGate();
  const child = place.start(['watch']);
  let seen = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    seen += text;
  });
  const until = async (wanted: string) => {
    for (let tries = 0; tries < 100 && !seen.includes(wanted); tries++) await sleep(50);
    expect(seen).toContain(wanted);
  };
  await until('G1 waits for the owner: Ship now?');
  place.as('ann', 'todo', 'add', '--todos', '[{"title":"seen at once"}]');
  await until('seen at once');
  child.kill('SIGINT');
  expect((await once(child, 'exit'))[0]).toBe(0);
});

test('the state folder is private and git status stays clean [R12]', () => {
  startWithGate();
  expect(statSync(join(place.project, '.loopx')).mode & 0o777).toBe(0o700);
  expect(readFileSync(join(place.project, '.loopx', '.gitignore'), 'utf8')).toBe('*\n');
});
