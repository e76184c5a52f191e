import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { expect, test } from 'vitest';
import { jsonFormat } from '../../src/connect/json-edit.ts';
import { jsonObject, jsonWithServers, white } from './generated.ts';
import { jsonShapes } from './json-shapes.ts';

const place = ['mcpServers', 'loopx'] as const;
const entry = { type: 'stdio', command: 'npx', args: ['-y', 'loopx-mcp@1.2.3'], alwaysLoad: true };
const own = ['type', 'command', 'args'];
const set = (text: string) => jsonFormat.set(text, place, entry, own);
const unset = (text: string) => jsonFormat.unset(text, place);
const said = (text: string) => parse(text.replace('\ufeff', ''), [], { allowTrailingComma: true });

test('an empty file becomes one with the server, in its own line ends and with its mark [R33]', () => {
  expect(set('')).toBe(`{
  "mcpServers": {
    "loopx": {
      "type": "stdio",
      "command": "npx",
      "args": ["-y", "loopx-mcp@1.2.3"],
      "alwaysLoad": true
    }
  }
}
`);
  expect(set('\ufeff\r\n')).toBe(`\ufeff${set('').replaceAll('\n', '\r\n')}`);
});

test.each(jsonShapes)(
  'of $name nothing but the entry is changed, and it comes out again to the same bytes [R33]',
  ({ text, withServer }) => {
    const after = set(text);
    expect(after).toBe(withServer);
    expect(said(after)).toEqual({ ...said(text), mcpServers: { ...said(text).mcpServers, loopx: entry } });
    expect(set(after)).toBe(after);
    const { mcpServers, ...others } = said(unset(after));
    expect({ mcpServers: mcpServers ?? {}, ...others }).toEqual({ mcpServers: {}, ...said(text) });
    if (said(text).mcpServers !== undefined) expect(unset(after)).toBe(text);
  },
);

test('an old version is replaced in place, and what the person set stays [R33]', () => {
  const old = `{
    // ours
    "mcpServers": {
        "loopx": {
            "command": "npx", // how
            "args": ["-y", "loopx-mcp@0.0.9"],
            "env": { "LOOPX_AGENT": "ada" }, /* mine */
            "alwaysLoad": false,
        },
    },
}`;
  expect(set(old)).toBe(
    old.replace('0.0.9', '1.2.3').replace('"alwaysLoad": false,', '"alwaysLoad": false,\n            "type": "stdio",'),
  );
});

test.each([
  ['{"a": }', 'line 1, column 7'],
  ['{\r\n  "mcpServers": {\r\n', 'line 3, column 1'],
  ['{"a": 1} x', 'line 1, column 10'],
  ['// only a comment', 'line 1, column'],
])('what cannot be parsed is refused with line and column: %j [R33]', (text, where) => {
  expect(() => set(text)).toThrowError(where);
  expect(() => unset(text)).toThrowError(expect.objectContaining({ code: 'config-broken' }));
});

test.each([
  '[]',
  '"text"',
  '{"mcpServers": []}',
  '{"mcpServers": {"loopx": 1}}',
  '{"mcpServers": {}, "mcpServers": {}}',
])('a file of another shape is refused: %s [R33]', (text) => {
  expect(() => set(text)).toThrowError(expect.objectContaining({ code: 'config-shape' }));
});

test('a file that is nested beyond reading is refused [R33]', () => {
  expect(() => set('['.repeat(200_000))).toThrowError(/nested too deeply|not valid JSON/);
});

test('whatever the file, setting is idempotent, adds the entry only, and taking out brings back what it said [R33]', () => {
  fc.assert(
    fc.property(fc.oneof(jsonObject, jsonWithServers), white, white, (body, before, after) => {
      const text = before + body + after;
      const servers = said(text).mcpServers;
      const isTable =
        servers === undefined || (typeof servers === 'object' && servers !== null && !Array.isArray(servers));
      const mine = isTable ? servers?.loopx : undefined;
      fc.pre(isTable && (mine === undefined || (typeof mine === 'object' && mine !== null && !Array.isArray(mine))));
      const connected = set(text);
      expect(set(connected)).toBe(connected);
      const { loopx: _mine, ...others } = servers ?? {};
      expect(said(unset(connected))).toEqual({ ...said(text), mcpServers: others });
      for (const comment of text.match(/\/\/ line|\/\/ own line|\/\* c \*\//g) ?? [])
        expect(connected).toContain(comment);
    }),
    { numRuns: 200 },
  );
});
