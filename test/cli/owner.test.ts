import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Terminal } from '../hosts/terminal.ts';
import { mainPath, Place } from './loopx.ts';

let place: Place;
let terminal: Terminal | undefined;

const options = '[{"key":"yes","label":"Ship","effect":"approve"},{"key":"no","label":"Wait","effect":"deny"}]';

beforeEach(() => {
  place = new Place();
  place.as('ann', 'goal', 'start', '--goal', 'g', '--objective', 'Ship', '--todos', '[{"title":"publish"}]');
  ask();
});

afterEach(async () => {
  await leave();
  place.remove();
});

function ask(...more: string[]): void {
  const gate = place.as(
    'ann',
    'gate',
    'ask',
    '--question',
    'Ship now?',
    '--options',
    options,
    '--blocks',
    '{"todos":["T1"]}',
    ...more,
  );
  expect(gate).toMatchObject({ ok: true, gate: { state: 'open' } });
}

async function leave(): Promise<void> {
  const left = terminal;
  terminal = undefined;
  await left?.stop();
}

/** The command on a terminal of its own, after a shell line if one is given; `cat` keeps the last screen as it is. */
async function onTerminal(args: readonly string[], more: { env?: Record<string, string>; before?: string } = {}) {
  await leave();
  const line = [process.execPath, mainPath, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
  terminal = await Terminal.start({
    command: 'bash',
    args: ['-c', `${more.before ?? ''} ${line}; echo "ended with $?"; cat`],
    env: { ...place.env, TERM: 'xterm', ...more.env },
    cwd: place.project,
  });
  return terminal;
}

/** Lets a person read and type, and answers the last screen and the exit code. */
async function typing(args: readonly string[], typed: string, env: Record<string, string> = {}) {
  const person = await onTerminal(args, { env });
  const shown = await person.waitFor(/Type .*:/);
  // As a person reads before typing.
  await sleep(500);
  await person.type(typed);
  await person.press('Enter');
  const screen = await person.waitFor(/ended with \d/);
  return { shown, screen, code: Number(/ended with (\d)/.exec(screen)?.[1]) };
}

const gate = (id = 'G1') => place.as('ann', 'goal', 'status', '--id', id).gate;

test('the owner reads the question with its consequences and types the answer, which is then confirmed [R37]', async () => {
  const { shown, code } = await typing(['gate', 'answer', 'g1', 'yes', '--note', 'after lunch'], 'yes');
  for (const text of ['Ship now?', 'yes: Ship (T1 may go on)', 'no: Wait (T1 is blocked until you lift it)'])
    expect(shown).toContain(text);
  expect(code).toBe(0);
  expect(gate()).toMatchObject({
    state: 'answered',
    answer: { option: 'yes', channel: 'cli', grade: 'confirmed', words: 'after lunch' },
  });
  expect(place.run(['gate', 'answer', 'G1', 'yes', '--json']).json).toMatchObject({
    ok: true,
    repeat: expect.stringContaining('before'),
  });
  expect(place.run(['gate', 'answer', 'G1', 'no', '--json'])).toMatchObject({ code: 1, json: { code: 'not-allowed' } });
});

test('another word, or the end of the input, leaves the gate open [R37]', async () => {
  expect(await typing(['gate', 'answer', 'G1', 'yes'], 'no')).toMatchObject({
    code: 1,
    screen: expect.stringContaining('stays open'),
  });
  const person = await onTerminal(['gate', 'answer', 'G1']);
  await person.waitFor('Type yes or no');
  await person.press('C-d');
  expect(await person.waitFor('ended with 1')).toContain('nothing was typed');
  expect(gate().state).toBe('open');
});

test('what was typed before the question stood there counts for nothing [R37]', async () => {
  const person = await onTerminal(['gate', 'answer', 'G1', 'yes'], { before: 'sleep 2;' });
  await person.type('yes\n');
  expect(await person.waitFor('ended with 1')).toContain('faster than a person');
  expect(gate().state).toBe('open');
});

test.each([
  [{ CLAUDE_CODE_SESSION_ATTENDED: '1' }, 'CLAUDE_CODE_SESSION_ATTENDED'],
  [{ CLAUDE_PID: '4711' }, 'CLAUDE_PID'],
  [{ CODEX_SANDBOX: 'seatbelt' }, 'CODEX_SANDBOX'],
])("a terminal inside an agent's shell is no owner's: %j [R37]", async (env, name) => {
  const person = await onTerminal(['gate', 'answer', 'G1', 'yes'], { env });
  expect(await person.waitFor('ended with 1')).toContain(name);
  expect(gate().state).toBe('open');
});

test('a denial is lifted, and a question withdrawn, by the owner at a terminal', async () => {
  await typing(['gate', 'answer', 'G1', 'no'], 'no');
  expect(place.as('ann', 'todo', 'claim', '--todo', 'T1')).toMatchObject({ ok: false, code: 'todo-blocked' });
  expect((await typing(['gate', 'lift', 'G1'], 'yes')).code).toBe(0);
  expect(place.as('ann', 'todo', 'claim', '--todo', 'T1').ok).toBe(true);
  ask();
  expect((await typing(['gate', 'withdraw', 'G2', '--note', 'later'], 'yes')).code).toBe(0);
  expect(gate('G2').state).toBe('withdrawn');
  expect(place.run(['gate', 'withdraw', 'G2', '--json']).json.code).toBe('bad-argument');
});

test('a goal is resumed and changed after the owner saw exactly what would change', async () => {
  place.run(['goal', 'pause']);
  expect((await typing(['goal', 'resume'], 'yes')).code).toBe(0);
  const { shown, code } = await typing(['goal', 'amend', '--change', 'add: it is documented'], 'yes');
  expect(shown).toContain('new criterion: it is documented');
  expect(code).toBe(0);
  expect(place.as('ann', 'goal', 'status').goal).toMatchObject({
    status: 'active',
    acceptance: [{ text: 'it is documented' }],
  });
});

test('a signed answer needs no terminal, only the key that was set, and fits this gate alone [R37]', async () => {
  const keyFile = join(place.home, '.config', 'loopx', 'owner-key.pem');
  expect((await typing(['owner', 'init', '--key-file', join(place.project, 'key.pem')], 'yes')).screen).toContain(
    'inside the workspace',
  );
  expect(existsSync(join(place.project, 'key.pem'))).toBe(false);
  expect((await typing(['owner', 'init'], 'yes')).code).toBe(0);
  expect(statSync(keyFile).mode & 0o777).toBe(0o600);
  expect((await typing(['owner', 'grade', 'signed'], 'yes')).code).toBe(0);

  expect(place.run(['gate', 'answer', 'G1', 'yes', '--json']).json).toMatchObject({
    code: 'not-allowed',
    details: { needed: 'signed' },
  });
  const signed = place.run(['gate', 'answer', 'G1', 'yes', '--sign', '--json']);
  expect(signed).toMatchObject({
    code: 0,
    json: { gate: { answer: { option: 'yes', channel: 'cli', grade: 'signed' } } },
  });

  ask();
  const other = join(place.home, 'other.pem');
  const forged = (await typing(['owner', 'init', '--key-file', other], 'yes')).code;
  expect(forged).toBe(1);
  expect(place.run(['gate', 'answer', 'G2', 'yes', '--sign', '--key-file', other, '--json']).json.code).toBe(
    'not-allowed',
  );
  expect(
    place.run(['gate', 'answer', 'G2', 'yes', '--sign', '--key-file', '/nowhere.pem', '--json']).json.message,
  ).toContain('owner init');
  expect(gate('G2').state).toBe('open');

  const replaced = place.run(['owner', 'init', '--key-file', other, '--sign-with', keyFile, '--json']);
  expect(replaced).toMatchObject({ code: 0, json: { ok: true, keyFile: other } });
  expect(place.run(['gate', 'answer', 'G2', 'no', '--sign', '--key-file', other, '--json']).code).toBe(0);
  for (const args of [
    ['goal', 'amend', '--change', 'usd: 20'],
    ['gate', 'lift', 'G2'],
    ['goal', 'lesson', '--text', 'lint'],
  ])
    expect(
      place.run([...args, ...(args[1] === 'lesson' ? [] : ['--sign', '--key-file', other]), '--json']).json,
    ).toMatchObject({ ok: true });
  expect(place.run(['owner', 'grade', 'confirmed', '--sign', '--key-file', other, '--json']).json.ok).toBe(true);
  expect(place.run(['doctor', '--json']).json.owner).toMatchObject({ hasKey: true, minGrade: 'confirmed' });
}, 90_000);
