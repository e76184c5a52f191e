import * as fs from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { version } from '../../src/version.ts';
import { mainPath, Place } from '../cli/loopx.ts';
import { Terminal } from '../hosts/terminal.ts';

let place: Place;
let terminal: Terminal | undefined;
beforeEach(() => {
  place = new Place();
  fs.mkdirSync(join(place.project, '.cursor'));
  // Nothing of this machine's hosts is found, nor a loopx that is installed here.
  place.env.PATH = '/usr/bin:/bin';
});
afterEach(async () => {
  await terminal?.stop();
  terminal = undefined;
  place.remove();
});

const cursorFile = () => join(place.project, '.cursor', 'mcp.json');
const codexFile = () => join(place.home, '.codex', 'config.toml');
const pinned = { type: 'stdio', command: 'npx', args: ['-y', `loopx-mcp@${version}`] };

test('connect shows the diff, writes what it finds, pins the version, says how to check and leads to a first goal [R33]', () => {
  fs.mkdirSync(join(place.home, '.codex'));
  fs.writeFileSync(codexFile(), 'model = "x" # mine\n');
  const { code, stdout } = place.run(['connect', '--yes']);
  expect(code).toBe(0);
  const inOrder = [
    '--- ',
    '+[mcp_servers.loopx]',
    '/dev/null',
    '+    "loopx": {',
    'Wrote Codex',
    'as it was before: ',
    'codex mcp list',
    'Wrote Cursor',
    'green dot',
    'There is no goal here yet',
  ];
  const places = inOrder.map((text) => stdout.indexOf(text));
  expect(places.every((at) => at >= 0)).toBe(true);
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect(JSON.parse(fs.readFileSync(cursorFile(), 'utf8'))).toEqual({ mcpServers: { loopx: pinned } });
  expect(fs.readFileSync(codexFile(), 'utf8')).toMatch(
    /^model = "x" # mine\n\n\[mcp_servers\.loopx\]\ncommand = "npx"\n/,
  );
});

test('a second connect has nothing to do and writes nothing; disconnect brings both files back [R33]', () => {
  fs.mkdirSync(join(place.home, '.codex'));
  fs.writeFileSync(codexFile(), 'model = "x"', { mode: 0o600 });
  place.run(['connect', '--yes']);
  const before = fs.statSync(codexFile());
  const again = place.run(['connect', '--yes', '--json']).json;
  expect(again).toMatchObject({ ok: true, files: [{ status: 'nothing-to-do' }, { status: 'nothing-to-do' }] });
  expect(fs.statSync(codexFile())).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs, mode: before.mode });
  const { json } = place.run(['disconnect', '--yes', '--json']);
  expect(json).toMatchObject({
    ok: true,
    files: [
      { host: 'codex', scope: 'user', status: 'written' },
      { host: 'cursor', scope: 'project', status: 'removed' },
    ],
  });
  expect(fs.readFileSync(codexFile(), 'utf8')).toBe('model = "x"');
  expect(fs.statSync(codexFile()).mode).toBe(before.mode);
  expect(fs.readdirSync(join(place.home, '.codex'))).toEqual(['config.toml']);
  expect(place.run(['disconnect', '--yes']).stdout).toContain('Nothing to do');
});

test('without a terminal and without --yes, and with --dry-run, the diff is shown and nothing is written [R33]', () => {
  const unasked = place.run(['connect']);
  expect(unasked).toMatchObject({ code: 1, stdout: expect.stringContaining('+    "loopx": {') });
  expect(unasked.stderr).toContain('--yes');
  const dry = place.run(['connect', '--dry-run', '--json']);
  expect(dry.code).toBe(0);
  expect(dry.json.files).toMatchObject([
    { host: 'cursor', status: 'would-write', diff: expect.stringContaining('+    "loopx": {') },
  ]);
  expect(fs.readdirSync(join(place.project, '.cursor'))).toEqual([]);
});

test.each([
  ['yes', true],
  ['no', false],
])('the person at the terminal is asked: %s [R33]', async (typed, isWritten) => {
  terminal = await Terminal.start({
    command: 'sh',
    args: ['-c', `"${process.execPath}" "${mainPath}" connect; echo "ended with $?"`],
    env: { ...place.env, PATH: process.env.PATH ?? '', TERM: 'xterm' },
    cwd: place.project,
  });
  await terminal.waitFor('Type yes to write');
  // A person reads the question first.
  await terminal.settle(1);
  await terminal.type(typed);
  await terminal.press('Enter');
  await terminal.waitFor(isWritten ? 'ended with 0' : 'ended with 1');
  expect(fs.existsSync(cursorFile())).toBe(isWritten);
});

test('a file that cannot be parsed is left alone and named, and the other hosts are written [R33]', () => {
  fs.mkdirSync(join(place.project, '.vscode'));
  const broken = '{\n  "servers": {\n';
  fs.writeFileSync(join(place.project, '.vscode', 'mcp.json'), broken);
  const { code, json } = place.run(['connect', '--yes', '--json']);
  expect(code).toBe(1);
  expect(json).toMatchObject({
    ok: false,
    code: 'config-broken',
    message: expect.stringContaining('line 3, column 1'),
  });
  expect(json.files).toMatchObject([
    { host: 'cursor', status: 'written' },
    { host: 'vscode', status: 'left' },
  ]);
  expect(fs.readFileSync(join(place.project, '.vscode', 'mcp.json'), 'utf8')).toBe(broken);
});

test('a read-only file and one linked from elsewhere are left alone, and nothing lies beside them [R33]', () => {
  fs.writeFileSync(cursorFile(), '{}', { mode: 0o444 });
  expect(place.run(['connect', '--yes', '--json']).json).toMatchObject({ ok: false, code: 'config-read-only' });
  expect(fs.readdirSync(join(place.project, '.cursor'))).toEqual(['mcp.json']);
  fs.rmSync(cursorFile());
  fs.symlinkSync('/etc/hostname', cursorFile());
  expect(place.run(['connect', '--yes', '--json']).json).toMatchObject({ ok: false, code: 'config-outside' });
});

test('every host of the table can be named, in both scopes where it has them [R33]', () => {
  const names = ['claude-code', 'codex', 'cursor', 'vscode', 'opencode', 'gemini', 'windsurf', 'zed', 'claude-desktop'];
  const { code, json } = place.run(['connect', '--json', '--yes', '--host', ...names]);
  expect(code).toBe(0);
  expect(json.files.map(({ host, status }: { host: string; status: string }) => [host, status])).toEqual(
    names.map((name) => [name, 'written']),
  );
  expect(place.run(['connect', '--json', '--yes', '--scope', 'user', '--host', ...names]).code).toBe(0);
  expect(place.run(['connect', '--json', '--yes', '--scope', 'project', '--host', 'zed']).json).toMatchObject({
    ok: false,
    code: 'no-such-scope',
  });
  expect(place.run(['disconnect', '--json', '--yes']).json.files).toHaveLength(14);
  expect(fs.readdirSync(place.project)).toEqual(['.git']);
});

test('disconnect finds the entry in whichever of its files a host has it [R33]', () => {
  place.run(['connect', '--host', 'opencode', '--yes']);
  fs.renameSync(join(place.project, 'opencode.json'), join(place.project, 'opencode.jsonc'));
  fs.writeFileSync(join(place.project, 'opencode.json'), '{}');
  expect(place.run(['disconnect', '--yes', '--json']).json.files).toMatchObject([{ status: 'removed' }]);
  expect(fs.readdirSync(place.project).sort()).toEqual(['.cursor', '.git', 'opencode.json']);
});

test('a host that nobody knows is refused by name, and outside every project the files at home are meant [R33]', () => {
  const wrong = place.run(['connect', '--host', 'emacs', '--json']);
  expect(wrong.code).toBe(2);
  expect(wrong.json).toMatchObject({ ok: false, code: 'bad-argument', details: { field: 'host' } });
  const atHome = place.run(['connect', '--host', 'cursor', '--yes', '--json'], { cwd: '/' });
  expect(atHome.json.files).toMatchObject([{ scope: 'user', file: join(place.home, '.cursor', 'mcp.json') }]);
});

test('agent-onboard prints one line and nothing else for every host, which begins the loop that the host has', () => {
  const line = (host: string) => place.run(['agent-onboard', '--host', host]).stdout;
  expect(line('claude-code')).toMatch(/^\/loop Do one turn[^\n]+quota_should_run[^\n]+\n$/);
  expect(line('codex')).toMatch(/^\/goal [^\n]+writeback[^\n]+\n$/);
  expect(line('opencode')).toMatch(/^while sleep 60; [^\n]+ opencode run '[^'\n]+'; done\n$/);
  expect(line('gemini')).toMatch(/^while sleep 60; [^\n]+ gemini --yolo -p '[^'\n]+'; done\n$/);
  expect(line('zed')).toMatch(/^Do one turn[^\n]+\n$/);
  expect(place.run(['agent-onboard', '--host', 'emacs']).code).toBe(2);
});
