import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const folder = new URL('../../src/audit/', import.meta.url);
const files = readdirSync(folder);

describe('The independent reader', () => {
  it('imports nothing but itself and what comes with Node', () => {
    const imported = files.flatMap((file) => {
      const text = readFileSync(new URL(file, folder), 'utf8');
      return [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, name]) => name as string);
    });
    expect(imported.length).toBeGreaterThan(10);
    expect(imported.filter((name) => !/^node:[a-z/]+$|^\.\/[a-z-]+\.ts$/.test(name))).toEqual([]);
  });

  it('is small enough to be read in one sitting', () => {
    const lines = files.map((file) => readFileSync(new URL(file, folder), 'utf8').split('\n').length);
    expect(Math.max(...lines)).toBeLessThan(160);
    expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThan(1_500);
  });
});
