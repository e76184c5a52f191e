import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { FoundWorkspace } from '../plane-provider.ts';
import { findRepository } from '../state/workspace/repository.ts';

/**
 * A file as the control plane names it: relative to its working tree with `/` between the parts ('' is the tree
 * itself), or absolute where it lies outside the workspace. Every name it goes by is answered: the one that was given
 * and, where links lead elsewhere, the one they lead to.
 */
export function workspacePaths(file: string, cwd: string, workspace: FoundWorkspace): readonly string[] {
  const given = resolve(cwd, file);
  const real = realPath(given);
  const folder = realPath(dirname(given));
  return [...new Set([named(join(folder, basename(given)), workspace), named(real, workspace)])];
}

/** Whether the file lies where programs keep what is nobody's work: no scope speaks of it. */
export function isScratch(path: string, env: { readonly [name: string]: string | undefined }): boolean {
  if (!isAbsolute(path)) return false;
  const plans = env.HOME === undefined ? [] : [join(env.HOME, '.claude', 'plans')];
  return [tmpdir(), '/tmp', ...plans].some((folder) => isWithin(realPath(folder), path));
}

function named(path: string, workspace: FoundWorkspace): string {
  // A folder above the workspace means all of it.
  if (isWithin(path, workspace.worktree)) return '';
  const tree = treeOf(path, workspace);
  if (tree === undefined) return path;
  return relative(tree, path).split(sep).join('/');
}

/** The working tree of this workspace that the path lies in; another one than the host's own may be meant. */
function treeOf(path: string, { root, worktree }: FoundWorkspace): string | undefined {
  const repository = findRepository(path === worktree || path === root ? path : dirname(path));
  const found = 'found' in repository ? repository.found : undefined;
  if (found?.root === root && isWithin(found.worktree, path)) return found.worktree;
  return [worktree, root].find((tree) => isWithin(tree, path));
}

function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** The path without links, as far as it exists. */
function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent), basename(path));
  }
}
