import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { plain } from '../cli/text/plain.ts';
import type { AnswerForm } from './demo-agent.ts';

/** A person needs longer than this to read; servers take nothing that comes faster than 400 ms. */
const readingMs = 1_200;

type Print = (text: string) => void;

/** The person at this terminal. Enter alone, or another word, leaves the question open. */
export function personAtTerminal(print: Print): AnswerForm {
  return async (form) => {
    print(boxed(form.message));
    process.stdout.write(`  Your answer (${form.options.join('/')}): `);
    const lines = createInterface({ input: process.stdin, terminal: false });
    const typed = await new Promise<string>((resolve) => {
      lines.once('line', resolve);
      lines.once('close', () => resolve(''));
    });
    lines.close();
    const word = typed.trim().toLowerCase();
    return form.options.find((option) => option === word);
  };
}

/** Stands in for the person where nobody is: says the first option after a while. */
export function standIn(print: Print): AnswerForm {
  return async (form) => {
    print(boxed(form.message));
    await sleep(readingMs);
    print(`  (--yes) answers for you: ${form.options[0]}`);
    return form.options[0];
  };
}

function boxed(message: string): string {
  return plain(message)
    .split('\n')
    .map((line) => `  | ${line}`.trimEnd())
    .join('\n');
}
