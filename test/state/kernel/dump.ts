import type { State } from '../../../src/state/kernel/state.ts';
import { Table } from '../../../src/state/kernel/table.ts';

/** The state as plain sorted text: two states mean the same exactly when their dumps are equal. */
export function dump(value: State | unknown): string {
  return JSON.stringify(plain(value), undefined, 1);
}

function plain(value: unknown): unknown {
  if (value instanceof Table)
    return Object.fromEntries([...value.entries()].sort(byKey).map(([k, v]) => [k, plain(v)]));
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, field]) => field !== undefined)
      .sort(byKey)
      .map(([k, v]) => [k, plain(v)]),
  );
}

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
