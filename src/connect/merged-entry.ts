import type { Entry } from './host-table.ts';

/** What an entry becomes: own keys as wanted, all else as it was, and what was missing added. */
export function mergedEntry(wanted: Entry, had: Entry | undefined, ownKeys: readonly string[]): Entry {
  const own = ownKeys.filter((key) => Object.hasOwn(wanted, key)).map((key) => [key, wanted[key]]);
  return { ...wanted, ...had, ...Object.fromEntries(own) };
}
