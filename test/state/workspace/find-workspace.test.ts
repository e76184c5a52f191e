import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findWorkspace, type WorkspaceQuestion } from '../../../src/state/workspace/find-workspace.ts';

let base: string;
let home: string;

beforeEach(() => {
  base = realpathSync.native(mkdtempSync(join(tmpdir(), 'loopx-ws-')));
  home = folder('home');
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function folder(...parts: string[]): string {
  const path = join(base, ...parts);
  mkdirSync(path, { recursive: true });
  return path;
}

function git(cwd: string, ...args: string[]): void {
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.org', '-c', 'protocol.file.allow=always'];
  execFileSync('git', [...identity, ...args], { cwd, stdio: 'ignore', env: { PATH: process.env.PATH, HOME: home } });
}

function repository(...parts: string[]): string {
  const path = folder(...parts);
  git(path, 'init', '-q');
  git(path, 'commit', '-q', '--allow-empty', '-m', 'x');
  return path;
}

function find(question: Partial<WorkspaceQuestion>) {
  return findWorkspace({ env: {}, cwd: base, home, ...question });
}

function rootFrom(cwd: string): string | undefined {
  const result = find({ cwd });
  return result.ok ? result.root : undefined;
}

describe('the order of places', () => {
  test('the argument wins over LOOPX_WORKSPACE, CLAUDE_PROJECT_DIR, roots and the working directory, in that order [R9]', () => {
    const [a, b, c, d, e] = ['a', 'b', 'c', 'd', 'e'].map((name) => folder(name)) as [
      string,
      string,
      string,
      string,
      string,
    ];
    const question = {
      explicit: a,
      env: { LOOPX_WORKSPACE: b, CLAUDE_PROJECT_DIR: c },
      roots: [pathToFileURL(d).href],
      cwd: e,
    };
    expect(find(question)).toMatchObject({ ok: true, root: a, source: '--workspace', stateDir: join(a, '.loopx') });
    expect(find({ ...question, explicit: undefined })).toMatchObject({ root: b, source: 'LOOPX_WORKSPACE' });
    expect(find({ env: { CLAUDE_PROJECT_DIR: c }, roots: question.roots, cwd: e })).toMatchObject({ root: c });
    expect(find({ roots: question.roots, cwd: e })).toMatchObject({ root: d, source: 'root' });
    expect(find({ roots: [], cwd: e })).toMatchObject({ root: e, source: 'cwd' });
  });

  test.each(['--workspace', 'LOOPX_WORKSPACE'])(
    'an unusable %s is a refusal and nothing after it is tried [R9]',
    (source) => {
      const named = source === '--workspace' ? { explicit: 'gone' } : { env: { LOOPX_WORKSPACE: 'gone' } };
      const result = find({ ...named, roots: [pathToFileURL(folder('r')).href], cwd: folder('c') });
      expect(result).toEqual({ ok: false, tried: [{ source, value: 'gone', why: 'there is no such folder' }] });
    },
  );

  test('an empty or placeholder argument is refused, an empty variable counts as not set [R9]', () => {
    const cwd = folder('c');
    expect(find({ explicit: '', cwd }).ok).toBe(false);
    expect(find({ explicit: '$' + '{workspaceFolder}', cwd }).ok).toBe(false);
    expect(find({ env: { LOOPX_WORKSPACE: '' }, cwd })).toMatchObject({ ok: true, source: 'cwd' });
  });

  test('what a host said and will not do is passed over and kept in the answer [R9]', () => {
    const root = folder('r');
    const result = find({
      env: { CLAUDE_PROJECT_DIR: home },
      roots: ['https://example.org/x', pathToFileURL(root).href],
    });
    expect(result).toMatchObject({ ok: true, root, source: 'root' });
    expect(result.tried.map(({ source, why }) => [source, why])).toEqual([
      ['CLAUDE_PROJECT_DIR', 'it is the home folder'],
      ['root', 'it is neither a file: URI nor an absolute path'],
    ]);
  });

  test('a relative argument is meant from the working directory, ~/ from home, and a file is refused [R9]', () => {
    folder('home', 'p');
    const cwd = folder('c');
    const sub = folder('c', 'sub');
    writeFileSync(join(cwd, 'file'), '');
    expect(find({ explicit: 'sub', cwd })).toMatchObject({ root: sub });
    expect(find({ explicit: '~/p', cwd })).toMatchObject({ root: join(home, 'p') });
    expect(find({ explicit: 'file', cwd }).tried[0]?.why).toBe('it is not a folder');
  });
});

describe('places that are never a workspace', () => {
  test('the root of the file system and the home folder are refused, also through a link and as a repository [R9]', () => {
    symlinkSync(home, join(base, 'way-home'));
    expect(find({ cwd: '/' }).tried).toEqual([{ source: 'cwd', value: '/', why: 'it is the root of the file system' }]);
    expect(find({ cwd: join(base, 'way-home') }).ok).toBe(false);
    expect(find({ cwd: home, home: join(base, 'way-home') }).ok).toBe(false);
    expect(rootFrom(folder('home', 'project'))).toBe(join(home, 'project'));
    git(home, 'init', '-q');
    const inside = find({ cwd: folder('home', 'project') });
    expect(inside.ok).toBe(false);
    expect(inside.tried[0]?.why).toContain('the home folder');
    expect(readdirSync(home)).not.toContain('.loopx');
  });

  test('a deleted working directory is a refusal that says so, and does not stop a root from serving [R9]', () => {
    expect(find({ cwd: undefined }).tried).toEqual([
      { source: 'cwd', value: '', why: 'the working directory no longer exists' },
    ]);
    expect(find({ cwd: join(base, 'gone') }).ok).toBe(false);
    expect(find({ cwd: undefined, roots: [base] })).toMatchObject({ ok: true, root: base });
  });

  test('a process whose working directory was deleted still gets its answer [R9]', () => {
    const module = new URL('../../../src/state/workspace/find-workspace.ts', import.meta.url).href;
    const script = `import { rmdirSync } from 'node:fs';
      const { currentFolder, findWorkspace } = await import(${JSON.stringify(module)});
      rmdirSync(process.cwd());
      console.log(JSON.stringify(findWorkspace({ env: {}, cwd: currentFolder(), home: '/nowhere' })));`;
    const tsx = import.meta.resolve('tsx');
    const child = spawnSync(process.execPath, ['--import', tsx, '--input-type=module', '-e', script], {
      cwd: folder('doomed'),
      encoding: 'utf8',
    });
    expect(JSON.parse(child.stdout)).toMatchObject({ ok: false, tried: [{ source: 'cwd' }] });
  });
});

describe('one repository is one workspace', () => {
  test('sub-folders and linked worktrees, also nested in links, share the main worktree [R12]', () => {
    const main = repository('main');
    git(main, 'worktree', 'add', '-q', '../linked');
    symlinkSync(folder('linked', 'deep'), join(base, 'link'));
    for (const place of [
      main,
      folder('main', 'deep', 'er'),
      join(base, 'linked'),
      join(base, 'link'),
      join(main, '.git'),
    ]) {
      expect([place, rootFrom(place)]).toEqual([place, main]);
    }
    expect(find({ cwd: folder('linked', 'deep') })).toMatchObject({ worktree: join(base, 'linked') });
    expect(existsSync(join(main, '.loopx'))).toBe(false);
  });

  test('relative paths in a linked worktree are followed [R12]', () => {
    const main = repository('main');
    git(main, 'worktree', 'add', '-q', '../linked');
    writeFileSync(join(base, 'linked', '.git'), 'gitdir: ../main/.git/worktrees/linked\n');
    expect(rootFrom(join(base, 'linked'))).toBe(main);
  });

  test('all worktrees of a bare repository share one root outside every tracked tree [R12]', () => {
    repository('origin');
    git(base, 'clone', '-q', '--bare', 'origin', 'bare.git');
    git(join(base, 'bare.git'), 'worktree', 'add', '-q', '../one');
    git(join(base, 'bare.git'), 'worktree', 'add', '-q', '../two', '-b', 'two');
    const roots = ['one', 'two', 'bare.git', 'bare.git/objects'].map((name) => rootFrom(join(base, name)));
    expect(new Set(roots)).toEqual(new Set([join(base, 'bare.git')]));
    expect(find({ cwd: join(base, 'one') })).toMatchObject({ worktree: join(base, 'one') });
  });

  test.each(['.git', '.bare'])('a bare repository kept as %s is the folder around its worktrees [R12]', (name) => {
    repository('origin');
    const project = folder('project');
    git(base, 'clone', '-q', '--bare', 'origin', `project/${name}`);
    if (name === '.bare') writeFileSync(join(project, '.git'), 'gitdir: ./.bare\n');
    git(project, 'worktree', 'add', '-q', 'one', '-b', 'one');
    for (const place of ['one', '.', name]) expect(rootFrom(join(project, place))).toBe(project);
  });

  test('a submodule is a workspace of its own, shared with its own worktrees [R12]', () => {
    repository('library');
    const main = repository('main');
    git(main, 'submodule', 'add', '-q', join(base, 'library'), 'lib');
    git(join(main, 'lib'), 'worktree', 'add', '-q', join(base, 'lib-linked'));
    expect(rootFrom(main)).toBe(main);
    expect(rootFrom(folder('main', 'lib', 'src'))).toBe(join(main, 'lib'));
    expect(rootFrom(join(base, 'lib-linked'))).toBe(join(main, 'lib'));
  });

  test('a repository with a separate git folder shares it with its worktrees [R12]', () => {
    const main = folder('main');
    git(main, 'init', '-q', '--separate-git-dir', join(base, 'store'));
    git(main, 'commit', '-q', '--allow-empty', '-m', 'x');
    git(main, 'worktree', 'add', '-q', join(base, 'linked'));
    expect(rootFrom(join(base, 'linked'))).toBe(rootFrom(main));
    expect(find({ cwd: main })).toMatchObject({ worktree: main });
  });

  test('two clones are two workspaces [R12]', () => {
    repository('one');
    git(base, 'clone', '-q', 'one', 'two');
    expect([rootFrom(join(base, 'one')), rootFrom(join(base, 'two'))]).toEqual([join(base, 'one'), join(base, 'two')]);
  });

  test('a worktree whose repository is gone is refused instead of becoming a second workspace [R12]', () => {
    const main = repository('main');
    git(main, 'worktree', 'add', '-q', '../linked');
    rmSync(main, { recursive: true });
    const result = find({ cwd: join(base, 'linked') });
    expect(result.ok).toBe(false);
    expect(result.tried[0]?.why).toContain('broken');
  });

  test('an empty .git folder and a named pipe called .git do not make a repository and do not hang [R12]', () => {
    const main = repository('main');
    folder('main', 'a', '.git');
    execFileSync('mkfifo', [join(folder('main', 'b'), '.git')]);
    expect(rootFrom(join(main, 'a'))).toBe(main);
    expect(rootFrom(join(main, 'b'))).toBe(main);
  });

  test('GIT_DIR and its like send nobody elsewhere [R12]', () => {
    const main = repository('main');
    const env = { GIT_DIR: join(repository('other'), '.git'), GIT_WORK_TREE: base };
    expect(find({ env, cwd: main })).toMatchObject({ root: main });
  });
});
