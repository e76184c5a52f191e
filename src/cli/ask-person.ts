import { createInterface } from 'node:readline';
import type { Environment } from '../plane-provider.ts';
import { agentShellMark } from './agent-shell.ts';
import { plain } from './text/plain.ts';

/** No person reads a question and types its answer in less; what was typed ahead or piped in comes faster. */
const humanMsMin = 400;

export type Typed = { readonly typed: string } | { readonly why: string };

/**
 * Shows the text on the terminal and answers the line that is typed there, or why nothing counts: no terminal, an
 * agent's shell, the end of the input, an answer faster than a person.
 */
export async function askPerson(env: Environment, text: string, prompt: string): Promise<Typed> {
  const mark = agentShellMark(env);
  if (mark !== undefined) return { why: mark };
  const screen = [process.stderr, process.stdout].find((stream) => stream.isTTY);
  if (!process.stdin.isTTY || screen === undefined) return { why: 'there is no terminal to ask on' };
  screen.write(`\n${plain(text)}\n\n${plain(prompt)} `);
  const shownAtMs = performance.now();
  const lines = createInterface({ input: process.stdin, terminal: false });
  try {
    const typed = await new Promise<string | undefined>((resolve) => {
      lines.once('line', resolve);
      lines.once('close', () => resolve(undefined));
    });
    if (typed === undefined) return { why: 'nothing was typed' };
    if (performance.now() - shownAtMs < humanMsMin) return { why: 'it was typed faster than a person answers' };
    return { typed: typed.trim() };
  } finally {
    lines.close();
  }
}
