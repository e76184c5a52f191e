import fc from 'fast-check';
import { parse } from 'smol-toml';
import { expect, test } from 'vitest';
import { tomlFormat } from '../../src/connect/toml-edit.ts';
import { tomlDocument } from './generated.ts';

const place = ['mcp_servers', 'loopx'] as const;
const entry = { command: 'npx', args: ['-y', 'loopx-mcp@1.2.3'], required: true, startup_timeout_sec: 60 };
const set = (text: string) => tomlFormat.set(text, place, entry, ['command', 'args']);
const unset = (text: string) => tomlFormat.unset(text, place);
const block = `[mcp_servers.loopx]
command = "npx"
args = ["-y", "loopx-mcp@1.2.3"]
required = true
startup_timeout_sec = 60
`;
/** As plain objects, which compare. */
const said = (text: string) => JSON.parse(JSON.stringify(parse(text.replace('\ufeff', ''))));

test('an empty file becomes one with the server [R33]', () => {
  expect(set('')).toBe(block);
  expect(set('\ufeff\r\n')).toBe(`\ufeff${block.replaceAll('\n', '\r\n')}`);
});

test.each([
  ['model = "x" # mine\n'],
  ['# only a comment\n'],
  ['[mcp_servers.other]\ncommand = "y"\n\n[profiles.a]\nmodel = """\n[mcp_servers.loopx]\n"""\n'],
  ['mcp_servers.other.command = "y"\n'],
  ["\ufeffmodel = 'x'\n[[a]]\nb = [ # list\n  1,\n]\n"],
])('the table is put at the end and comes out again to the same bytes: %j [R33]', (text) => {
  expect(set(text)).toBe(`${text}\n${block}`);
  expect(set(set(text))).toBe(set(text));
  expect(unset(set(text))).toBe(text);
  const crlf = text.replaceAll('\n', '\r\n');
  expect(set(crlf)).toBe(`${crlf}\r\n${block.replaceAll('\n', '\r\n')}`);
  expect(unset(set(crlf))).toBe(crlf);
});

test('an old version is replaced in place; comments, order, own keys and sub-tables stay [R33]', () => {
  const old = `model = "x"

[mcp_servers.loopx] # the loop
args = [ # how
  "-y", "loopx-mcp@0.0.9" ]  # old
command = 'node'
required = false

# permissions
[mcp_servers.loopx.tools.gate_ask]
approval_mode = "approve"

[mcp_servers.other]
command = "y"
`;
  const now = set(old);
  expect(now).toBe(
    old
      .replace(/\[ # how[^\]]*\]/, '["-y", "loopx-mcp@1.2.3"]')
      .replace("'node'", '"npx"')
      .replace('required = false\n', 'required = false\nstartup_timeout_sec = 60\n'),
  );
  expect(set(now)).toBe(now);
  expect(unset(now)).toBe('model = "x"\n\n[mcp_servers.other]\ncommand = "y"\n');
});

test.each([
  '[mcp_servers]\nloopx = { command = "old", env = { A = "b" } }\n',
  'mcp_servers.loopx.command = "old"\nmcp_servers.loopx.env.A = "b"\n',
])('an entry in another form becomes a table with all it had: %j [R33]', (text) => {
  expect(said(set(text))).toEqual({ mcp_servers: { loopx: { ...entry, env: { A: 'b' } } } });
  expect(said(unset(set(text))).mcp_servers ?? {}).toEqual({});
});

test.each([
  ['a = \n', 'line 1, column'],
  ['a = 1\n[b\n', 'line 2, column'],
  ['[a]\n[a]\n', 'line 2, column'],
])('what cannot be parsed is refused with line and column: %j [R33]', (text, where) => {
  expect(() => set(text)).toThrowError(where);
  expect(() => unset(text)).toThrowError(expect.objectContaining({ code: 'config-broken' }));
});

test.each([
  'mcp_servers = 1\n',
  '[mcp_servers]\nloopx = 1\n',
  '[[mcp_servers]]\n',
  'mcp_servers = { other = { command = "y" } }\n',
])('a file of another shape is refused: %j [R33]', (text) => {
  expect(() => set(text)).toThrowError(expect.objectContaining({ code: 'config-shape' }));
});

test('whatever the file, setting is idempotent, adds the table only, and taking out brings back what it said [R33]', () => {
  fc.assert(
    fc.property(tomlDocument, (text) => {
      const before = said(text);
      const { loopx: had, ...others } = before.mcp_servers ?? {};
      const connected = set(text);
      expect(set(connected)).toBe(connected);
      expect(said(connected)).toEqual({
        ...before,
        mcp_servers: { ...others, loopx: { ...entry, ...had, command: entry.command, args: entry.args } },
      });
      const { mcp_servers: left = {}, ...rest } = said(unset(connected));
      expect({ ...rest, mcp_servers: left }).toEqual({ ...before, mcp_servers: others });
      // What was not there before goes to the very bytes, but for the end of a file that had no last line break.
      if (had === undefined && text.trim() !== '' && text.endsWith('\n')) expect(unset(connected)).toBe(text);
    }),
    { numRuns: 200 },
  );
});
