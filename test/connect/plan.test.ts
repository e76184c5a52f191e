import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hosts } from '../../src/connect/host-table.ts';
import { type Change, carryOut, planConnect, planDisconnect, type Target } from '../../src/connect/plan.ts';
import { jsonObject, jsonWithServers, tomlDocument } from './generated.ts';

let home: string;
beforeEach(() => {
  home = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'loopx-plan-')));
});
afterEach(() => fs.rmSync(home, { recursive: true, force: true }));

const day = '2026-01-01';
const start = { command: 'npx', args: ['-y', 'loopx-mcp@1.2.3'] };
const read = () => fs.readFileSync(join(home, 'file'), 'utf8');
const write = (text: string) => fs.writeFileSync(join(home, 'file'), text);

function target(name: string): Target {
  const host = hosts.find((each) => each.name === name)!;
  return { host, scope: 'user', path: join(home, 'file'), allowed: [home] };
}

function connect(to: Target, with_ = start): Change {
  const change = planConnect(to, to.host.entry(with_));
  carryOut(change, day);
  return change;
}

function disconnect(from: Target): Change {
  const change = planDisconnect(from);
  carryOut(change, day);
  return change;
}

test.each([
  ['codex', tomlDocument],
  ['cursor', fc.oneof(jsonObject, jsonWithServers)],
] as const)(
  'of %s, disconnect brings back the bytes from before connect, whatever they were, and leaves nothing [R33]',
  (name, texts) => {
    const to = target(name);
    fc.assert(
      fc.property(texts, (text) => {
        for (const left of fs.readdirSync(home)) fs.rmSync(join(home, left));
        write(text);
        // A file that has an entry of ours, or servers of another shape, is another test's.
        fc.pre(planDisconnect(to).edit === undefined && planConnect(to, to.host.entry(start)).refusal === undefined);
        expect(connect(to).edit).toBeDefined();
        expect(connect(to).edit).toBeUndefined();
        connect(to, { command: 'npx', args: ['-y', 'loopx-mcp@2.0.0'] });
        expect(disconnect(to).edit).toBeDefined();
        expect(read()).toBe(text);
        expect(disconnect(to).edit).toBeUndefined();
      }),
      { numRuns: 60 },
    );
  },
);

test.each(hosts.map(({ name }) => name))(
  '%s: a file that was not there is gone again after disconnect [R33]',
  (name) => {
    connect(target(name));
    expect(fs.readdirSync(home)).toEqual(['file']);
    disconnect(target(name));
    expect(fs.readdirSync(home)).toEqual([]);
  },
);

test('what changed after connect stays, and only the entry goes [R33]', () => {
  const to = target('cursor');
  write('{\n  "mcpServers": {}\n}\n');
  connect(to);
  write(read().replace('"mcpServers": {', '"mcpServers": {\n    "other": { "command": "x" },'));
  disconnect(to);
  expect(read()).toBe('{\n  "mcpServers": {\n    "other": { "command": "x" }\n  }\n}\n');
});

test('disconnect never brings back an old entry of ours from a backup [R33]', () => {
  const to = target('codex');
  write('model = "x"\n\n[mcp_servers.loopx]\ncommand = "node"\nargs = ["main.js"]\n');
  connect(to);
  disconnect(to);
  expect(read()).toBe('model = "x"\n');
});

test('a broken file is refused with line and column and keeps its bytes; disconnect looks into it only where it names us [R33]', () => {
  const to = target('cursor');
  write('{ "mcpServers": {\n  oops\n} }');
  const message = expect.stringContaining('line 2, column 3');
  expect(connect(to).refusal).toEqual({ code: 'config-broken', message });
  expect(disconnect(to)).not.toHaveProperty('refusal');
  write('{ "loopx": {\n  oops\n} }');
  expect(disconnect(to).refusal).toEqual({ code: 'config-broken', message });
  expect(read()).toBe('{ "loopx": {\n  oops\n} }');
  expect(fs.readdirSync(home)).toEqual(['file']);
});

test('the diff shows the change in its surroundings, without the secrets there and without control characters of line ends [R33]', () => {
  write(
    '\ufeff{\r\n\t"mcpServers": {\r\n\t\t"a": { "env": { "API_KEY": "hunter2", "Authorization": "Bearer x" } }\r\n\t}\r\n}\r\n',
  );
  const { edit } = planConnect(target('cursor'), { type: 'stdio', command: 'npx', args: [] });
  expect(edit?.diff.split('\n')).toEqual([
    `--- ${join(home, 'file')}`,
    `+++ ${join(home, 'file')}`,
    '@@ -1,5 +1,10 @@',
    ' {',
    ' \t"mcpServers": {',
    '-\t\t"a": { "env": { "API_KEY": "…", "Authorization": "…" } }',
    '+\t\t"a": { "env": { "API_KEY": "…", "Authorization": "…" } },',
    '+\t\t"loopx": {',
    '+\t\t\t"type": "stdio",',
    '+\t\t\t"command": "npx",',
    '+\t\t\t"args": []',
    '+\t\t}',
    ' \t}',
    ' }',
  ]);
});
