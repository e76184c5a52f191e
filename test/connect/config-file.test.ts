import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { backUp, backupsOf } from '../../src/connect/backups.ts';
import { readConfig, removeConfig, writeConfig } from '../../src/connect/config-file.ts';

let folder: string;
let home: string;
let path: string;
beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'loopx-config-')));
  home = join(folder, 'home');
  fs.mkdirSync(home);
  path = join(home, '.mcp.json');
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const refusal = (code: string) => expect.objectContaining({ code });

test('a file keeps its mode and its folder nothing but the file [R33]', () => {
  fs.writeFileSync(path, '{}', { mode: 0o640 });
  writeConfig(readConfig(path, [home]), '{"a": 1}', 0o600);
  expect(fs.readFileSync(path, 'utf8')).toBe('{"a": 1}');
  expect(fs.statSync(path).mode & 0o777).toBe(0o640);
  expect(fs.readdirSync(home)).toEqual(['.mcp.json']);
});

test('a file that is not there reads as empty, is written with its folders, and can be taken away [R33]', () => {
  const deep = join(home, '.config', 'host', 'mcp.json');
  const file = readConfig(deep, [home]);
  expect(file).toMatchObject({ text: '', isThere: false });
  writeConfig(file, 'x', 0o600);
  expect(fs.statSync(deep).mode & 0o777).toBe(0o600);
  removeConfig(readConfig(deep, [home]));
  expect(fs.existsSync(deep)).toBe(false);
});

test('a link stays a link: the file it leads to is written, also where that is not there yet [R33]', () => {
  fs.mkdirSync(join(home, 'dotfiles'));
  fs.symlinkSync(join('dotfiles', 'mcp.json'), path);
  writeConfig(readConfig(path, [home]), 'one', 0o600);
  writeConfig(readConfig(path, [home]), 'two', 0o600);
  expect(fs.readlinkSync(path)).toBe(join('dotfiles', 'mcp.json'));
  expect(fs.readFileSync(join(home, 'dotfiles', 'mcp.json'), 'utf8')).toBe('two');
});

test.each(['file', 'folder', 'nothing'])('a link to a %s outside the home and the project is refused [R33]', (kind) => {
  const outside = join(folder, 'outside');
  if (kind === 'folder') {
    fs.mkdirSync(outside);
    fs.symlinkSync(outside, join(home, '.cursor'));
    path = join(home, '.cursor', 'mcp.json');
  } else {
    if (kind === 'file') fs.writeFileSync(outside, '{}');
    fs.symlinkSync(outside, path);
  }
  expect(() => readConfig(path, [home])).toThrowError(refusal('config-outside'));
});

test('links in a circle, a folder, other bytes than UTF-8 and a huge file are refused [R33]', () => {
  fs.symlinkSync(path, path);
  expect(() => readConfig(path, [home])).toThrowError(refusal('config-unreadable'));
  const inside = (name: string) => join(home, name);
  fs.mkdirSync(inside('folder'));
  expect(() => readConfig(inside('folder'), [home])).toThrowError(refusal('config-unreadable'));
  fs.writeFileSync(inside('utf16'), Buffer.from('\ufeff{}', 'utf16le'));
  expect(() => readConfig(inside('utf16'), [home])).toThrowError(refusal('config-not-text'));
  fs.writeFileSync(inside('huge'), '');
  fs.truncateSync(inside('huge'), 33 * 1024 * 1024);
  expect(() => readConfig(inside('huge'), [home])).toThrowError(refusal('config-too-large'));
});

test('a read-only file is left alone, for root too [R33]', () => {
  fs.writeFileSync(path, '{}', { mode: 0o444 });
  const file = readConfig(path, [home]);
  expect(() => writeConfig(file, 'x', 0o600)).toThrowError(refusal('config-read-only'));
  expect(() => removeConfig(file)).toThrowError(refusal('config-read-only'));
  expect(fs.readFileSync(path, 'utf8')).toBe('{}');
});

test('what somebody else wrote in the meantime is not written over [R33]', () => {
  const missing = readConfig(path, [home]);
  fs.writeFileSync(path, 'theirs');
  expect(() => writeConfig(missing, 'mine', 0o600)).toThrowError(refusal('config-changed'));
  const file = readConfig(path, [home]);
  fs.writeFileSync(path, 'theirs again');
  expect(() => writeConfig(file, 'mine', 0o600)).toThrowError(refusal('config-changed'));
  expect(() => removeConfig(file)).toThrowError(refusal('config-changed'));
  expect(fs.readFileSync(path, 'utf8')).toBe('theirs again');
  expect(fs.readdirSync(home)).toEqual(['.mcp.json']);
});

test('there is one backup a day for each content, as closed as the file [R33]', () => {
  expect(backUp(readConfig(path, [home]), '2026-01-01')).toBeUndefined();
  fs.writeFileSync(path, 'one', { mode: 0o600 });
  const first = backUp(readConfig(path, [home]), '2026-01-01') ?? '';
  expect(backUp(readConfig(path, [home]), '2026-01-01')).toBe(first);
  expect(basename(first)).toMatch(/^\.mcp\.json\.loopx-backup-2026-01-01-[0-9a-f]{8}$/);
  expect(fs.statSync(first).mode & 0o777).toBe(0o600);
  fs.writeFileSync(path, 'two');
  backUp(readConfig(path, [home]), '2026-01-01');
  backUp(readConfig(path, [home]), '2026-01-02');
  const texts = backupsOf(readConfig(path, [home])).map(({ text }) => text);
  expect(texts.sort()).toEqual(['one', 'two', 'two']);
});
