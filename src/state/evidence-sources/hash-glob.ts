import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { glob as listFiles } from 'tinyglobby';
import type { HashCache } from './hash-cache.ts';
import { type HashedFile, hashFile } from './hash-file.ts';
import { isProblem, problem, type SourceProblem } from './problem.ts';
import { type SourceLimits, sourceLimits } from './source-limits.ts';
import { isPrivate } from './source-path.ts';

export interface HashedGlob {
  readonly glob: string;
  /** SHA-256 over `path\0sha256\n` of all matching files, sorted by the bytes of their paths. */
  readonly sha256: string;
  /** How many files match; `files` holds the first of them. */
  readonly count: number;
  readonly files: readonly HashedFile[];
}

export interface GlobOptions {
  readonly cache?: HashCache;
  readonly limits?: Partial<SourceLimits>;
}

/** Files hashed at the same time: enough to keep the disk busy, few enough to keep memory small. */
const atOnce = 8;

/**
 * Digest of all regular files under `root` that a glob matches. Dot files count; `.git`, `.loopx` and links met on the
 * way never do, `node_modules` only where the glob names it. A glob that matches nothing is a problem, not an empty
 * digest.
 */
export async function hashGlob(
  root: string,
  glob: string,
  options: GlobOptions = {},
): Promise<HashedGlob | SourceProblem> {
  const limits: SourceLimits = { ...sourceLimits, ...options.limits };
  const bad = badGlob(glob, limits);
  if (bad) return bad;
  const paths = await matches(root, glob, limits);
  if (!Array.isArray(paths)) return paths;
  if (paths.length === 0) return problem('missing', glob, 'The glob matches no file.');
  if (paths.length > limits.globFilesMax) {
    return problem(
      'too-many',
      glob,
      `The glob matches ${paths.length} files; at most ${limits.globFilesMax} are hashed.`,
    );
  }
  const files = await hashAll(root, glob, paths, limits, options.cache);
  if (isProblem(files)) return files;
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file.path}\0${file.sha256}\n`);
  return { glob, sha256: hash.digest('hex'), count: files.length, files: files.slice(0, limits.globFilesKept) };
}

async function hashAll(
  root: string,
  glob: string,
  paths: readonly string[],
  limits: SourceLimits,
  cache: HashCache | undefined,
): Promise<readonly HashedFile[] | SourceProblem> {
  const options = { sizeBytesMax: limits.fileSizeBytesMax, ...(cache && { cache }) };
  const files: HashedFile[] = [];
  let sizeBytes = 0;
  for (let from = 0; from < paths.length; from += atOnce) {
    const batch = await Promise.all(paths.slice(from, from + atOnce).map((path) => hashFile(root, path, options)));
    for (const hashed of batch) {
      if (isProblem(hashed)) return { ...hashed, message: `${hashed.message} (matched by ${glob})` };
      sizeBytes += hashed.sizeBytes;
      files.push({ path: hashed.path, sha256: hashed.sha256 });
    }
    if (sizeBytes > limits.globSizeBytesMax) {
      return problem('too-large', glob, `The glob matches more than ${limits.globSizeBytesMax} bytes.`);
    }
  }
  return files;
}

function badGlob(glob: string, limits: SourceLimits): SourceProblem | undefined {
  if (glob === '' || glob.length > limits.globCharsMax || glob.includes('\0')) {
    return problem(
      'bad-path',
      glob.slice(0, 100),
      `A glob has 1 to ${limits.globCharsMax} characters, none of them NUL.`,
    );
  }
  if (glob.startsWith('!')) return problem('bad-path', glob, 'A glob says what is meant, not what is not.');
  if (posix.isAbsolute(glob) || /^[A-Za-z]:/.test(glob) || /(^|[/{,(|])\.\.([/},)|]|$)/.test(glob)) {
    return problem('outside', glob, 'A glob is relative to the workspace root and does not leave it.');
  }
  if (isPrivate(glob)) return problem('private', glob, 'What lies in .git or .loopx is no evidence.');
  return undefined;
}

async function matches(root: string, glob: string, limits: SourceLimits): Promise<string[] | SourceProblem> {
  const signal = AbortSignal.timeout(limits.globTimeMsMax);
  try {
    const paths = await listFiles(glob, {
      cwd: root,
      dot: true,
      onlyFiles: true,
      followSymbolicLinks: false,
      expandDirectories: false,
      // Nested quantifiers are how a pattern is made to take for ever.
      extglob: false,
      ignore: ['**/.git/**', '**/.loopx/**', ...(glob.includes('node_modules') ? [] : ['**/node_modules/**'])],
      signal,
    });
    return paths.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  } catch {
    return signal.aborted
      ? problem('timed-out', glob, `Looking for the glob's files took longer than ${limits.globTimeMsMax / 1000} s.`)
      : problem('unreadable', glob, 'The files of the glob cannot be listed.');
  }
}
