import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Table } from '../../../src/state/kernel/table.ts';

const edit = fc.record({ key: fc.nat(60), value: fc.option(fc.nat(9), { nil: undefined }) });

describe('a table', () => {
  it.each([
    ['numbered', () => Table.numbered<number>(), (n: number) => `T${n * 37}`],
    ['named', () => Table.named<number>(), (n: number) => `name-${n}`],
  ])('that is %s holds what a map would, and every earlier one stays as it was', (_, empty, keyOf) => {
    fc.assert(
      fc.property(fc.array(edit), (edits) => {
        const map = new Map<string, number>();
        const history = [{ table: empty(), entries: new Map(map) }];
        let table = empty();
        for (const { key, value } of edits) {
          const name = keyOf(key);
          if (value === undefined) map.delete(name);
          else map.set(name, value);
          table = value === undefined ? table.without(name) : table.with(name, value);
          history.push({ table, entries: new Map(map) });
        }
        for (const { table, entries } of history) {
          expect(new Map(table.entries())).toEqual(entries);
          expect(table.size).toBe(entries.size);
          for (const [name, value] of entries) expect(table.get(name)).toBe(value);
          expect([...table.keysBackwards()]).toEqual([...table.keys()].reverse());
        }
      }),
    );
  });

  it('that is numbered is walked in the order of the numbers', () => {
    let table = Table.numbered<true>();
    for (const n of [1_000, 3, 40, 2, 33, 1]) table = table.with(`T${n}`, true);
    expect([...table.keys()]).toEqual(['T1', 'T2', 'T3', 'T33', 'T40', 'T1000']);
  });

  it('tells keys apart that fall on one place', () => {
    const table = Table.numbered<number>().with('T1', 1).with('T01', 2).with('Tx', 3).with('T', 4);
    expect(['T1', 'T01', 'Tx', 'T', 'T0'].map((key) => table.get(key))).toEqual([1, 2, 3, 4, undefined]);
  });
});
