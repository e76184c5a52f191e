import { unattendedMark } from '../host/attended.ts';
import type { Environment } from '../plane-provider.ts';

/** Variables that hosts set for the commands an agent runs, and a person's own shell does not have. */
const marks = [
  /^CLAUDECODE$/,
  /^CODEX_(SANDBOX|THREAD|SESSION|TURN|CI|INTERNAL)/,
  /^OPENCODE(_PID)?$/,
  /^GEMINI_CLI$/,
  /^CURSOR_AGENT$/,
  /^AI_AGENT$/,
];

/**
 * The mark of a shell in which an agent types, as a clause, or undefined where there is none. Marks can be forged by
 * leaving them out, so they only ever lower trust.
 */
export function agentShellMark(env: Environment): string | undefined {
  const known = unattendedMark(env, undefined);
  if (known !== undefined) return known;
  const name = Object.keys(env).find((key) => env[key] && marks.some((mark) => mark.test(key)));
  return name === undefined ? undefined : `this shell belongs to an agent (${name} is set)`;
}
