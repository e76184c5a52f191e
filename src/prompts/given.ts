/**
 * Arguments of prompts as hosts deliver them: one splits at blanks and drops what is left over, one joins all words
 * into the first argument, and one calls every prompt with placeholders when it lists them.
 */

const placeholder = /\$(\d+|ARGUMENTS|\{[^}]*\})/;

/** Whether a host filled in a placeholder instead of what the owner typed; such a call must change nothing. */
export function isPlaceholder(text: string): boolean {
  return placeholder.test(text);
}

export function hasPlaceholder(given: { readonly [name: string]: string }): boolean {
  return Object.values(given).some(isPlaceholder);
}

export const placeholderText =
  'Nothing was changed: the host called this prompt with a placeholder in place of what the owner types. Give the real values, or use the command line (`loopx --help`).';

/** The first word and the rest: "G1 yes, ship it" is G1 and "yes, ship it". */
export function firstWord(text: string): { readonly first: string; readonly rest: string } {
  const [, first = '', rest = ''] = /^(\S*)\s*([\s\S]*)$/.exec(text.trim()) ?? [];
  return { first, rest: rest.trim() };
}

/** One text of several arguments, whichever of them the host put the words into. */
export function joined(...parts: readonly (string | undefined)[]): string {
  return parts
    .map((part) => part?.trim() ?? '')
    .filter((part) => part !== '')
    .join(' ');
}

/** Whether a text that should be a sentence may have been cut at its first blank. */
export function mayBeCut(text: string): boolean {
  return text !== '' && !/[\s{:=]/.test(text);
}
