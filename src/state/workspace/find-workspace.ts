import { realpathSync, statSync } from 'node:fs';
import { join, parse, resolve } from 'node:path';
import { pathOfUri } from './file-uri.ts';
import { findRepository } from './repository.ts';

export type WorkspaceSource = '--workspace' | 'LOOPX_WORKSPACE' | 'CLAUDE_PROJECT_DIR' | 'root' | 'cwd';

export interface TriedPlace {
  readonly source: WorkspaceSource;
  readonly value: string;
  /** A clause that says why it will not do: "there is no such folder". */
  readonly why: string;
}

export type WorkspaceResult =
  | {
      readonly ok: true;
      /** Real path of the folder that stands for the workspace, the same from all worktrees and sub-folders. */
      readonly root: string;
      /** `<root>/.loopx`; may not exist yet. */
      readonly stateDir: string;
      /** Real path of the working tree that was started from; files named by an agent are meant relative to it. */
      readonly worktree: string;
      readonly source: WorkspaceSource;
      /** What came before `source` and would not do. */
      readonly tried: readonly TriedPlace[];
    }
  | { readonly ok: false; readonly tried: readonly TriedPlace[] };

export interface WorkspaceQuestion {
  /** The argument --workspace: a path, relative to `cwd`, or a file: URI. */
  readonly explicit?: string | undefined;
  readonly env: { readonly [name: string]: string | undefined };
  /** The URIs of the host's roots, in its order. */
  readonly roots?: readonly string[] | undefined;
  /** Undefined when the working directory was deleted: see `currentFolder`. */
  readonly cwd: string | undefined;
  readonly home: string | undefined;
}

/**
 * Which workspace a process serves: --workspace, LOOPX_WORKSPACE, CLAUDE_PROJECT_DIR, the host's roots, the working
 * directory; then the repository that folder lies in, else the folder itself. Reads only, never throws.
 *
 * What a person said (the first two) is never passed over: unusable, it is a refusal. What a host said is only where
 * it happened to start us, so the next place is tried and the answer keeps what was passed over.
 */
export function findWorkspace(question: WorkspaceQuestion): WorkspaceResult {
  const tried: TriedPlace[] = [];
  for (const { source, value } of candidates(question)) {
    const place = look(source, value, question);
    if ('root' in place) return { ok: true, ...place, stateDir: join(place.root, '.loopx'), source, tried };
    tried.push({ source, value: value ?? '', why: place.why });
    if (source === '--workspace' || source === 'LOOPX_WORKSPACE') break;
  }
  return { ok: false, tried };
}

/** The working directory, or undefined when it was deleted under the process. */
export function currentFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

type Candidate = { readonly source: WorkspaceSource; readonly value: string | undefined };

function candidates({ explicit, env, roots, cwd }: WorkspaceQuestion): readonly Candidate[] {
  // An empty variable is how configuration files say "not set"; an empty argument is a person's mistake.
  const named = (source: WorkspaceSource, value: string | undefined): Candidate[] => (value ? [{ source, value }] : []);
  return [
    ...(explicit === undefined ? [] : [{ source: '--workspace', value: explicit } as const]),
    ...named('LOOPX_WORKSPACE', env.LOOPX_WORKSPACE),
    ...named('CLAUDE_PROJECT_DIR', env.CLAUDE_PROJECT_DIR),
    ...(roots ?? []).map((value) => ({ source: 'root', value }) as const),
    { source: 'cwd', value: cwd },
  ];
}

function look(
  source: WorkspaceSource,
  value: string | undefined,
  { cwd, home }: WorkspaceQuestion,
): { root: string; worktree: string } | { why: string } {
  if (value === undefined) return { why: 'the working directory no longer exists' };
  if (value === '') return { why: 'it is empty' };
  if (value.includes('\0')) return { why: 'it contains a NUL character' };
  const meant = source === 'root' || /^file:/i.test(value) ? pathOfUri(value) : { path: fromHome(value, home) };
  if ('why' in meant) return meant;
  const folder = realFolder(cwd === undefined ? meant.path : resolve(cwd, meant.path));
  if ('why' in folder) return folder;
  const repository = findRepository(folder.path);
  if ('broken' in repository) return { why: `the repository it lies in is broken: ${repository.broken}` };
  const place = repository.found ?? { root: folder.path, worktree: folder.path };
  const what = place.root === folder.path ? 'it is' : `the repository it lies in (${place.root}) is`;
  if (parse(place.root).root === place.root) return { why: `${what} the root of the file system` };
  if (isHome(place.root, home)) return { why: `${what} the home folder` };
  return place;
}

/** Configuration files are not read by a shell, so `~/` is still there. */
function fromHome(path: string, home: string | undefined): string {
  return home !== undefined && (path === '~' || path.startsWith('~/')) ? join(home, path.slice(1)) : path;
}

function realFolder(path: string): { path: string } | { why: string } {
  try {
    const real = realpathSync.native(path);
    return statSync(real).isDirectory() ? { path: real } : { why: 'it is not a folder' };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
    return { why: isMissing ? 'there is no such folder' : `it cannot be read (${code})` };
  }
}

function isHome(root: string, home: string | undefined): boolean {
  if (!home) return false;
  const real = realFolder(home);
  return 'path' in real && real.path === root;
}
