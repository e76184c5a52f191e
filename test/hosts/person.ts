import type { Terminal } from './terminal.ts';
import { serverKey } from './wire.ts';

const optionsMax = 20;

/**
 * Waits at Claude Code's prompt until the server is connected. The prompt shows earlier than that, and a turn
 * that begins too soon is told that there is no such tool.
 */
export async function untilConnectedInClaude(terminal: Terminal): Promise<void> {
  await terminal.waitFor('❯');
  await terminal.settle();
  await terminal.enter('/mcp');
  await terminal.waitFor(new RegExp(`✔ ${serverKey}|${serverKey} .*✔`));
  await terminal.press('Escape');
  await terminal.waitWhile(/Esc to (cancel|close)/);
}

/**
 * Chooses an option, by the text shown for it, in the form that Claude Code shows, and accepts it. A note goes into
 * the field below.
 */
export async function chooseInClaude(terminal: Terminal, option: string, note?: string): Promise<void> {
  await terminal.waitFor('requests your input');
  // The list opens to the right. Enter on a closed field leaves it unset and goes on to the buttons.
  await terminal.pressUntil('Right', 'Space to select');
  await moveTo(terminal, new RegExp(`❯ ◯ ${literal(option)}`));
  await terminal.pressUntil('Enter', new RegExp(`✔ .*${literal(option)}`));
  if (note !== undefined) {
    await moveTo(terminal, /❯ +Note/);
    await terminal.type(note);
    await terminal.waitFor(note);
  }
  await moveTo(terminal, /❯ Accept/);
  await terminal.press('Enter');
  await terminal.waitWhile('requests your input');
}

/** The same in Codex, where the first option stands chosen, Enter goes on to the note, if any, and then sends. */
export async function chooseInCodex(terminal: Terminal, option: string, note?: string): Promise<void> {
  await terminal.waitFor('enter to submit');
  await moveTo(terminal, new RegExp(`› \\d+\\. ${literal(option)}`));
  await terminal.press('Enter');
  const next = await terminal.until(
    (screen) => isNoteAsked(screen) || !screen.includes('enter to submit'),
    'stays on the field of the options',
  );
  if (isNoteAsked(next)) {
    if (note !== undefined) {
      await terminal.type(note);
      await terminal.waitFor(note);
    }
    await terminal.press('Enter');
  }
  await terminal.waitWhile('enter to submit');
}

function isNoteAsked(screen: string): boolean {
  return screen.includes('Field 2/2');
}

// One key at a time, and its effect seen before the next: a busy host shows it late, and one Down too many
// leaves the list.
async function moveTo(terminal: Terminal, wanted: RegExp): Promise<void> {
  for (let moves = 0; moves < optionsMax; moves += 1) {
    const screen = await terminal.capture();
    if (wanted.test(screen)) return;
    const line = cursorLine(screen);
    await terminal.press('Down');
    await terminal.until((next) => cursorLine(next) !== line, 'did not move its cursor');
  }
  throw new Error(`The form has no line ${wanted}. It shows:\n${await terminal.capture()}`);
}

function cursorLine(screen: string): string | undefined {
  return screen.split('\n').findLast((line) => /[❯›]/.test(line));
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
