import type { Answer } from '../state/answer.ts';

/** What a script can tell apart without reading the answer. */
export const exitCodes = { ok: 0, refusal: 1, usage: 2, storeTrouble: 3 } as const;

const storeTroubles = new Set([
  'store-read-only',
  'store-damaged',
  'store-replaced',
  'store-busy',
  'newer-format',
  'outcome-unknown',
]);
const usageErrors = new Set(['bad-argument', 'too-large']);

export function exitCodeOf(answer: Answer): number {
  if (answer.ok) return exitCodes.ok;
  if (storeTroubles.has(answer.code)) return exitCodes.storeTrouble;
  return usageErrors.has(answer.code) ? exitCodes.usage : exitCodes.refusal;
}
