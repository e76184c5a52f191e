import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Terminal } from '../hosts/terminal.ts';
import { mainPath, Place } from './loopx.ts';

let place: Place;
let terminal: Terminal | undefined;
beforeEach(() => {
  place = new Place();
});
afterEach(async () => {
  await terminal?.stop();
  terminal = undefined;
  place.remove();
});

test('the demo drives two servers through gate, evidence, handoff and completion, and leaves nothing behind', () => {
  const { code, stdout, stderr } = place.run(['demo', '--yes'], { env: { TMPDIR: place.home } });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const inOrder = [
    'run (fallback-ready)',
    'ask_human (gate-todo)',
    'Publish version 1.0 now?',
    'T1 done; E1 is pinned: NOTES.md',
    'run (todo-ready)',
    'run (handoff-offered)',
    'T2 done; E2 is pinned: release.json',
    'stop (goal-done)',
    'Release 1.0 (release): done; criteria: A1 met, A2 met',
    'yes (confirmed, by ',
    'slots of the last 24 h',
    'claude mcp add',
    'codex mcp add',
  ];
  const places = inOrder.map((text) => stdout.indexOf(text));
  expect(places.every((at) => at >= 0)).toBe(true);
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect(readdirSync(place.home).filter((name) => name.startsWith('loopx-demo-'))).toEqual([]);
});

test("the demo works inside an agent's shell and with a workspace of its own named, which it does not touch", () => {
  const env = { CLAUDE_PID: '1', CLAUDECODE: '1', LOOPX_WORKSPACE: place.project, TMPDIR: place.home };
  expect(place.run(['demo', '--yes'], { env })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('stop (goal-done)'),
  });
  expect(readdirSync(place.project)).toEqual(['.git']);
});

test('without a terminal the demo says how to run it', () => {
  const { code, stdout, stderr } = place.run(['demo']);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain('--yes');
});

async function onTerminal(): Promise<Terminal> {
  terminal = await Terminal.start({
    command: 'bash',
    args: ['-c', `'${process.execPath}' '${mainPath}' demo; echo "ended with $?"; cat`],
    env: { ...place.env, TERM: 'xterm', TMPDIR: place.home },
    cwd: place.project,
  });
  return terminal;
}

/** Reads the question, then types as a person does. */
async function answer(person: Terminal, question: string, typed: string): Promise<void> {
  await person.waitFor(new RegExp(`${question}.*Your answer \\(yes/no\\):\\s*$`, 's'));
  await sleep(600);
  if (typed !== '') await person.type(typed);
  await person.press('Enter');
}

test.each([
  ['no', 'Without your yes T2 is not done'],
  ['', 'G1 stays open'],
])('the person at the terminal decides: %j leaves T2 undone', async (typed, told) => {
  const person = await onTerminal();
  await answer(person, 'Publish version 1', typed);
  const screen = await person.waitFor('ended with 0');
  expect(screen).toContain(told);
  expect(screen).toMatch(/(blocked|open) +T2 Publish version 1\.0/);
});

test('the person at the terminal answers both questions, and the goal is done', async () => {
  const person = await onTerminal();
  await answer(person, 'Publish version 1', 'yes');
  await answer(person, 'Is goal release done', 'yes');
  expect(await person.waitFor('ended with 0')).toContain('stop (goal-done)');
});
