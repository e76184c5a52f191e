import { execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { verifyCommit } from '../../../src/state/evidence-sources/verify-commit.ts';
import { workspaceWith } from './temp.ts';

function git(cwd: string, ...args: string[]): string {
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.org'];
  return execFileSync('git', [...identity, ...args], { cwd, encoding: 'utf8' }).trim();
}

function repository(): { root: string; head: string } {
  const root = workspaceWith({ a: 'a' });
  git(root, 'init', '-q');
  git(root, 'add', 'a');
  git(root, 'commit', '-q', '-m', 'x');
  return { root, head: git(root, 'rev-parse', 'HEAD') };
}

function environment(name: string, value: string): void {
  const before = process.env[name];
  process.env[name] = value;
  onTestFinished(() => {
    if (before === undefined) delete process.env[name];
    else process.env[name] = before;
  });
}

test('a commit is answered by its full name, from a short one and in capitals too [R39]', async () => {
  const { root, head } = repository();
  for (const sha of [head, head.slice(0, 7), head.toUpperCase()]) {
    expect(await verifyCommit(root, sha)).toEqual({ commit: head });
  }
});

test('a commit that is not there, a file of the repository, and a tag are refused [R39]', async () => {
  const { root, head } = repository();
  git(root, 'tag', 'abcdef1');
  expect(await verifyCommit(root, 'f'.repeat(40))).toMatchObject({ problem: 'unknown-commit' });
  expect(await verifyCommit(root, git(root, 'rev-parse', 'HEAD:a'))).toMatchObject({ problem: 'unknown-commit' });
  expect(await verifyCommit(root, 'abcdef1')).toMatchObject({ problem: 'unknown-commit' });
  expect(head).toHaveLength(40);
});

test.each(['HEAD', '--help', 'abc', '', `${'a'.repeat(65)}`, 'abcdefg', 'abcdef1^{tree}', 'abcdef1\n'])(
  '%j is no name of a commit, and git is not run for it [R39]',
  async (sha) => {
    environment('PATH', '/nowhere');
    expect(await verifyCommit('/', sha)).toMatchObject({ problem: 'bad-path' });
  },
);

test('a folder without a repository and a machine without git say so [R4]', async () => {
  const plain = workspaceWith({});
  expect(await verifyCommit(plain, 'abcdef1')).toMatchObject({
    problem: 'no-git',
    message: expect.stringContaining('repository'),
  });
  const { root, head } = repository();
  environment('PATH', '/nowhere');
  expect(await verifyCommit(root, head)).toMatchObject({ problem: 'no-git', message: expect.stringContaining('run') });
});

test('GIT_DIR of a surrounding hook does not lead to another repository [R4]', async () => {
  const [mine, other] = [repository(), workspaceWith({})];
  git(other, 'init', '-q');
  environment('GIT_DIR', join(other, '.git'));
  expect(await verifyCommit(mine.root, mine.head)).toEqual({ commit: mine.head });
});

test('git gets an empty input, may not prompt, and is killed when it does not answer in time [R4]', async () => {
  const root = workspaceWith({});
  const fake = (script: string) => {
    writeFileSync(join(root, 'git'), `#!/bin/sh\n${script}\n`);
    chmodSync(join(root, 'git'), 0o755);
  };
  environment('PATH', `${root}:${process.env.PATH}`);
  fake('exec sleep 60');
  expect(await verifyCommit(root, 'abcdef1', 300)).toMatchObject({ problem: 'timed-out' });
  const answer = `abcdef1${'0'.repeat(33)}`;
  fake(`cat; [ "$GIT_TERMINAL_PROMPT" = 0 ] && echo ${answer}`);
  expect(await verifyCommit(root, 'abcdef1')).toEqual({ commit: answer });
});
