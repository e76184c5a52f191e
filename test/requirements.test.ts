import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { issuesDone, requirements } from './requirements.ts';

/** A title in quotes that ends by citing what it proves: `… [R13]`. */
const titles = /(['"`])(?:(?!\1).)*\[R\d+\](?:(?!\1).)*\1/g;

/** Requirement ids by the test files that cite them in a title: `… [R13]`. */
function citations(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const entry of readdirSync('test', { recursive: true, encoding: 'utf8' })) {
    if (!/\.(test|contract)\.ts$/.test(entry)) continue;
    for (const [title] of readFileSync(join('test', entry), 'utf8').matchAll(titles)) {
      for (const [, id] of title.matchAll(/\[(R\d+)\]/g))
        found.set(id as string, [...(found.get(id as string) ?? []), entry]);
    }
  }
  return found;
}

test('every requirement whose issue is done is cited by a test', () => {
  const cited = citations();
  expect(cited.size).toBeGreaterThan(0);
  const ids = Object.keys(requirements);
  expect(ids).toHaveLength(40);
  expect([...cited.keys()].filter((id) => !ids.includes(id))).toEqual([]);
  const open = ids.filter((id) => !cited.has(id));
  if (open.length > 0) console.log(`Requirements that no test cites yet: ${open.join(', ')}`);
  expect(open.filter((id) => issuesDone.includes(requirements[id]?.issue ?? 0))).toEqual([]);
});
