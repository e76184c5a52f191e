import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { configuredWorktree, coreValue } from '../../../src/state/workspace/git-config.ts';

test.each([
  ['[core]\n\tworktree = ../../../lib\n', '../../../lib'],
  ['[CORE]\n  WorkTree=../a b\r\n', '../a b'],
  ['[core]\n\tworktree = "../a # b; c \\"d\\"" ; a comment\n', '../a # b; c "d"'],
  ['[core]\n\tworktree = one # two\n\tworktree = three\n', 'three'],
  ['[core] worktree = here\n', 'here'],
  ['[core]\n\tbare = true\n[remote "worktree"]\n\tworktree = not-this\n', undefined],
  ['[core "sub"]\n\tworktree = not-this\n', undefined],
  ['# [core]\n; worktree = x\nworktree = y\n', undefined],
  ['', undefined],
])('of %j core.worktree is %j [R12]', (text, value) => {
  expect(coreValue(text, 'worktree')).toBe(value);
});

test("a worktree's own configuration file goes before the shared one, and a path is meant from the git folder [R12]", () => {
  const gitDir = join(mkdtempSync(join(tmpdir(), 'loopx-config-')), 'modules', 'lib');
  onTestFinished(() => rmSync(join(gitDir, '..', '..'), { recursive: true }));
  mkdirSync(gitDir, { recursive: true });
  expect(configuredWorktree(gitDir)).toBeUndefined();
  writeFileSync(join(gitDir, 'config'), '[core]\n\tworktree = ../../shared\n');
  expect(configuredWorktree(gitDir)).toBe(join(gitDir, '..', '..', 'shared'));
  writeFileSync(join(gitDir, 'config.worktree'), '[core]\n\tworktree = /own\n');
  expect(configuredWorktree(gitDir)).toBe('/own');
});
