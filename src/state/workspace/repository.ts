import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { configuredWorktree } from './git-config.ts';
import { readSmallFile } from './small-file.ts';

interface Repository {
  /** The folder that stands for the repository, the same from all its worktrees; a real path. */
  readonly root: string;
  /** Top of the working tree that was started from (`root` itself in a bare repository's own folder); a real path. */
  readonly worktree: string;
}

export type RepositoryResult =
  | { readonly found: Repository }
  | { readonly found: undefined }
  | { readonly broken: string };

/**
 * The repository that a folder (a real path) lies in, found from its files alone: no git command is run and GIT_DIR
 * and its like are ignored, so that a git hook's environment cannot send an agent to another workspace.
 */
export function findRepository(folder: string): RepositoryResult {
  for (let at = folder; ; at = dirname(at)) {
    const marker = join(at, '.git');
    const kind = kindOf(marker);
    if (kind === 'folder' && isGitDir(marker)) return repositoryOf(at, marker);
    if (kind === 'file') {
      const gitDir = linkedGitDir(marker);
      if (gitDir === undefined) return { broken: `${marker} does not name a git folder` };
      if (!isGitDir(gitDir)) return { broken: `${marker} points to ${gitDir}, which is not a git folder any more` };
      return repositoryOf(at, gitDir);
    }
    // Inside a git folder: that of a bare repository, or `.git` of a repository whose top is one step up.
    if (basename(at) !== '.git' && isGitDir(at)) return repositoryOf(at, at);
    if (dirname(at) === at) return { found: undefined };
  }
}

function repositoryOf(worktree: string, gitDir: string): RepositoryResult {
  const common = commonDir(gitDir);
  if (common === undefined) return { broken: `${gitDir} names a common git folder that does not exist` };
  try {
    const root = realpathSync.native(rootOf(common));
    // Started inside the git folder itself there is no working tree but the repository's own.
    const isInGitDir = worktree === gitDir;
    return { found: { root, worktree: isInGitDir ? root : worktree } };
  } catch {
    return { broken: `${common} belongs to a working tree that does not exist` };
  }
}

/**
 * The folder that stands for a repository. It is worked out from the common git folder alone, because that is all
 * that a linked worktree knows: so every worktree comes to the same answer.
 * - `…/.git`: the folder it is in, the main worktree (or, for a bare repository kept as `.git`, the folder around it).
 * - A git folder elsewhere with `core.worktree` (a submodule): that working tree.
 * - A bare repository beside a `.git` file that points to it (`project/.bare`): the folder they share.
 * - Else (a bare repository, `--separate-git-dir`): the git folder itself, which no working tree tracks.
 */
function rootOf(common: string): string {
  const parent = dirname(common);
  if (basename(common) === '.git') return parent;
  const configured = configuredWorktree(common);
  if (configured !== undefined) return configured;
  const marker = join(parent, '.git');
  if (kindOf(marker) === 'file' && linkedGitDir(marker) === common) return parent;
  return common;
}

/** The real path that a `.git` file points to (`gitdir: …`, relative to the file), undefined when it says nothing. */
function linkedGitDir(marker: string): string | undefined {
  const line = /^gitdir: (.+?)[\r\n]*$/.exec(readSmallFile(marker, 64 * 1024) ?? '');
  if (!line) return undefined;
  const target = resolve(dirname(marker), line[1]!);
  try {
    return realpathSync.native(target);
  } catch {
    return target;
  }
}

/** The git folder that all worktrees share: named in the file `commondir` of a linked worktree's git folder. */
function commonDir(gitDir: string): string | undefined {
  const text = readSmallFile(join(gitDir, 'commondir'), 64 * 1024);
  try {
    return realpathSync.native(text === undefined ? gitDir : resolve(gitDir, text.trimEnd()));
  } catch {
    return undefined;
  }
}

function isGitDir(path: string): boolean {
  if (kindOf(join(path, 'HEAD')) !== 'file') return false;
  if (kindOf(join(path, 'commondir')) === 'file') return true;
  return kindOf(join(path, 'objects')) === 'folder' && kindOf(join(path, 'refs')) === 'folder';
}

function kindOf(path: string): 'file' | 'folder' | undefined {
  try {
    const stat = statSync(path);
    return stat.isFile() ? 'file' : stat.isDirectory() ? 'folder' : undefined;
  } catch {
    return undefined;
  }
}
