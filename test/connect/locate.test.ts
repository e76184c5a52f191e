import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hosts } from '../../src/connect/host-table.ts';
import { allowedFolders, configPath, isPresent } from '../../src/connect/locate.ts';
import type { Machine } from '../../src/connect/machine.ts';

let home: string;
let machine: Machine;
beforeEach(() => {
  home = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'loopx-locate-')));
  machine = { platform: 'linux', env: {}, home, project: join(home, 'project') };
  fs.mkdirSync(join(home, 'project'));
});
afterEach(() => fs.rmSync(home, { recursive: true, force: true }));

const host = (name: string) => hosts.find((each) => each.name === name)!;
const found = () => hosts.filter((each) => isPresent(each, machine)).map(({ name }) => name);

test.each([
  ['linux', '/h/.config/Claude/claude_desktop_config.json', '/h/.config/zed/settings.json'],
  ['darwin', '/h/Library/Application Support/Claude/claude_desktop_config.json', '/h/.config/zed/settings.json'],
  [
    'win32',
    'C:\\h\\AppData\\Roaming\\Claude\\claude_desktop_config.json',
    'C:\\h\\AppData\\Roaming\\Zed\\settings.json',
  ],
] as const)("a person's files lie where %s has them [R33]", (platform, claude, zed) => {
  const there: Machine = { platform, env: {}, home: platform === 'win32' ? 'C:\\h' : '/h', project: undefined };
  expect(configPath(host('claude-desktop'), 'user', there)).toBe(claude);
  expect(configPath(host('zed'), 'user', there)).toBe(zed);
  expect(hosts.map((each) => configPath(each, 'user', there)).filter((path) => path === undefined)).toEqual([]);
  expect(hosts.map((each) => configPath(each, 'project', there)).filter((path) => path !== undefined)).toEqual([]);
});

test('variables with which a person moves a folder count, and it may be written in [R33]', () => {
  machine = { ...machine, env: { CODEX_HOME: '/data/codex', CLAUDE_CONFIG_DIR: 'relative' } };
  expect(configPath(host('codex'), 'user', machine)).toBe('/data/codex/config.toml');
  expect(allowedFolders(host('codex'), machine)).toEqual([home, machine.project, '/data/codex']);
  expect(configPath(host('claude-code'), 'user', machine)).toBe(join(home, '.claude.json'));
});

test('of several names the one that is there is taken [R33]', () => {
  expect(configPath(host('opencode'), 'project', machine)).toBe(join(home, 'project', 'opencode.json'));
  fs.writeFileSync(join(home, 'project', 'opencode.jsonc'), '{}');
  expect(configPath(host('opencode'), 'project', machine)).toBe(join(home, 'project', 'opencode.jsonc'));
});

test('a host is found by its command, its folder at home, or its file in the project [R33]', () => {
  expect(found()).toEqual([]);
  fs.mkdirSync(join(home, '.codex'));
  fs.mkdirSync(join(home, 'project', '.vscode'));
  fs.writeFileSync(join(home, '.claude.json'), '{}');
  fs.mkdirSync(join(home, 'bin'));
  fs.writeFileSync(join(home, 'bin', 'gemini'), '');
  machine = { ...machine, env: { PATH: join(home, 'bin') } };
  expect(found()).toEqual(['claude-code', 'codex', 'vscode', 'gemini']);
});
