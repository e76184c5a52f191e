import { InvalidArgumentError } from 'commander';

/** Reads a flag's value as a whole number from 0; anything else is wrong use. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text.trim())) throw new InvalidArgumentError('It is a whole number, e.g. 20.');
  return Number(text);
}
