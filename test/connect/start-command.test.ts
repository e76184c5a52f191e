import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findInstalled } from '../../src/connect/installed.ts';
import type { Machine } from '../../src/connect/machine.ts';
import { startCommand } from '../../src/connect/start-command.ts';

let folder: string;
beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'loopx-start-')));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const linux: Machine = { platform: 'linux', env: {}, home: '/home/ada', project: '/home/ada/project' };
const windows: Machine = { platform: 'win32', env: {}, home: 'C:\\Users\\Ada', project: 'C:\\Users\\Ada\\project' };
const installed = { command: '/usr/local/bin/loopx', script: '/usr/local/lib/node_modules/loopx-mcp/dist/main.js' };
const installedThere = { command: 'C:\\npm\\loopx.cmd', script: 'C:\\npm\\node_modules\\loopx-mcp\\dist\\main.js' };
const asked = {
  scope: 'user',
  version: '1.2.3',
  isFarFromProject: false,
  installed: undefined,
  node: '/opt/node/bin/node',
} as const;

test("a project's file holds npx with the version, whatever is installed here [R33]", () => {
  expect(startCommand({ ...asked, machine: linux, scope: 'project', installed })).toEqual({
    command: 'npx',
    args: ['-y', 'loopx-mcp@1.2.3'],
  });
});

test("a person's own file holds the installed command, or npx with the version [R33]", () => {
  expect(startCommand({ ...asked, machine: linux, installed })).toEqual({ command: '/usr/local/bin/loopx', args: [] });
  expect(startCommand({ ...asked, machine: linux })).toEqual({ command: 'npx', args: ['-y', 'loopx-mcp@1.2.3'] });
});

test('Windows starts command files through cmd /c [R33]', () => {
  expect(startCommand({ ...asked, machine: windows, scope: 'project' })).toEqual({
    command: 'cmd',
    args: ['/c', 'npx', '-y', 'loopx-mcp@1.2.3'],
  });
  expect(startCommand({ ...asked, machine: windows, installed: installedThere, isFarFromProject: true })).toEqual({
    command: 'cmd',
    args: ['/c', 'C:\\npm\\loopx.cmd', '--workspace', 'C:\\Users\\Ada\\project'],
  });
});

test('a host that starts servers far from the project is told its folder, and programs by absolute paths [R11] [R33]', () => {
  const workspace = ['--workspace', '/home/ada/project'];
  expect(startCommand({ ...asked, machine: linux, installed, isFarFromProject: true })).toEqual({
    command: '/opt/node/bin/node',
    args: [installed.script, ...workspace],
  });
  expect(startCommand({ ...asked, machine: linux, isFarFromProject: true })).toEqual({
    command: '/opt/node/bin/npx',
    args: ['-y', 'loopx-mcp@1.2.3', ...workspace],
    env: { PATH: '/opt/node/bin:/usr/local/bin:/usr/bin:/bin' },
  });
});

/** A package as npm installs it globally below the folder, with the command in its bin. */
function install(prefix: string, version: string, name = 'loopx-mcp'): string {
  const packageFolder = join(folder, prefix, 'lib', 'node_modules', 'loopx-mcp');
  fs.mkdirSync(join(packageFolder, 'dist'), { recursive: true });
  fs.writeFileSync(join(packageFolder, 'package.json'), JSON.stringify({ name, version }));
  fs.writeFileSync(join(packageFolder, 'dist', 'main.js'), '');
  const bin = join(folder, prefix, 'bin');
  fs.mkdirSync(bin, { recursive: true });
  fs.symlinkSync(join(packageFolder, 'dist', 'main.js'), join(bin, 'loopx'));
  return bin;
}
const onPath = (...folders: readonly string[]): Machine => ({ ...linux, env: { PATH: folders.join(':') } });

test('what counts as installed is this package in this version, first on PATH [R33]', () => {
  const wanted = install('good', '1.2.3');
  const old = install('old', '0.0.9');
  const other = install('other', '1.2.3', 'another-loopx');
  expect(findInstalled(onPath('relative', other, wanted, old), '1.2.3')).toEqual({
    command: join(wanted, 'loopx'),
    script: join(folder, 'good', 'lib', 'node_modules', 'loopx-mcp', 'dist', 'main.js'),
  });
  // The host's own shell would take the old one.
  expect(findInstalled(onPath(old, wanted), '1.2.3')).toBeUndefined();
  expect(findInstalled(onPath(join(folder, 'nowhere')), '1.2.3')).toBeUndefined();
  expect(findInstalled({ ...linux, env: {} }, '1.2.3')).toBeUndefined();
});

test('a copy that npx fetched or that belongs to a project is not installed [R33]', () => {
  const bin = install('good', '1.2.3');
  const fetched = join(folder, '_npx', 'abc', 'node_modules', '.bin');
  const ofProject = join(folder, 'project', 'node_modules', '.bin');
  for (const passing of [fetched, ofProject]) {
    fs.mkdirSync(passing, { recursive: true });
    fs.copyFileSync(join(bin, 'loopx'), join(passing, 'loopx'));
  }
  expect(findInstalled(onPath(fetched, ofProject), '1.2.3')).toBeUndefined();
  expect(findInstalled(onPath(fetched, bin), '1.2.3')).toMatchObject({ command: join(bin, 'loopx') });
});
