import { createHash } from 'node:crypto';
import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, open, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { HashCache } from './hash-cache.ts';
import { isProblem, problem, type SourceProblem } from './problem.ts';
import { sourceLimits } from './source-limits.ts';
import { isPrivate, parseSourcePath } from './source-path.ts';

export interface HashedFile {
  /** Relative to the root, with `/`, in its shortest form. */
  readonly path: string;
  readonly sha256: string;
}

export interface SizedFile extends HashedFile {
  readonly sizeBytes: number;
}

export interface HashOptions {
  readonly sizeBytesMax?: number;
  readonly cache?: HashCache;
}

const sharedCache = new HashCache();

/**
 * SHA-256 (hex) of a regular file under `root`, taken now by this process. A path that leaves the root, also by a
 * link, is refused; so is a file that changes while it is read. Never throws: what cannot be hashed is a problem.
 */
export async function hashFile(
  root: string,
  path: string,
  { sizeBytesMax = sourceLimits.fileSizeBytesMax, cache = sharedCache }: HashOptions = {},
): Promise<SizedFile | SourceProblem> {
  const parsed = parseSourcePath(path);
  if (isProblem(parsed)) return parsed;
  const full = join(root, parsed.path);
  try {
    const before = await stat(full, { bigint: true });
    // The stamp names one file, whose place was checked when it was first hashed.
    const known = cache.get(full, before);
    if (known !== undefined && before.size <= sizeBytesMax) {
      return { path: parsed.path, sha256: known, sizeBytes: Number(before.size) };
    }
    const [realRoot, real] = await Promise.all([realpath(root), realpath(full)]);
    const place = relative(realRoot, real);
    if (place === '..' || place.startsWith(`..${sep}`))
      return problem('outside', path, 'A link leads out of the workspace.');
    if (isPrivate(place)) return problem('private', path, 'What lies in .git or .loopx is no evidence.');
    const hashed = await hashReal(real, path, sizeBytesMax);
    if (isProblem(hashed)) return hashed;
    cache.set(full, hashed.stat, hashed.sha256, hashed.startedAt);
    return { path: parsed.path, sha256: hashed.sha256, sizeBytes: Number(hashed.stat.size) };
  } catch (error) {
    return problemOf(error, path);
  }
}

type Hashed = { readonly sha256: string; readonly stat: BigIntStats; readonly startedAt: number };

async function hashReal(real: string, path: string, sizeBytesMax: number): Promise<Hashed | SourceProblem> {
  // O_NOFOLLOW: the path was resolved a moment ago. O_NONBLOCK: opening a named pipe must not wait for a writer.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const file = await open(real, flags);
  try {
    for (let attempt = 1; attempt <= 3; attempt++) {
      const startedAt = Date.now();
      const before = await file.stat({ bigint: true });
      if (!before.isFile()) return problem('not-a-file', path, 'It is not a regular file.');
      if (before.size > sizeBytesMax) {
        return problem(
          'too-large',
          path,
          `The file is larger than ${sizeBytesMax} bytes; name a digest of it instead.`,
        );
      }
      const { sha256, readBytes } = await digest(file, sizeBytesMax);
      const after = await file.stat({ bigint: true });
      const isSteady =
        BigInt(readBytes) === after.size && before.mtimeNs === after.mtimeNs && before.size === after.size;
      if (isSteady) return { sha256, stat: after, startedAt };
    }
    return problem('unreadable', path, 'The file kept changing while it was read.');
  } finally {
    await file.close();
  }
}

async function digest(file: FileHandle, sizeBytesMax: number): Promise<{ sha256: string; readBytes: number }> {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(256 * 1024);
  let readBytes = 0;
  while (readBytes <= sizeBytesMax) {
    const { bytesRead } = await file.read(buffer, 0, buffer.length, readBytes);
    if (bytesRead === 0) break;
    hash.update(buffer.subarray(0, bytesRead));
    readBytes += bytesRead;
  }
  return { sha256: hash.digest('hex'), readBytes };
}

function problemOf(error: unknown, path: string): SourceProblem {
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
  if (code === 'ENOENT' || code === 'ENOTDIR') return problem('missing', path, 'There is no such file.');
  if (code === 'ELOOP') return problem('missing', path, 'The path is a link that leads nowhere.');
  // A socket cannot be opened at all.
  if (code === 'ENXIO') return problem('not-a-file', path, 'It is not a regular file.');
  if (code === 'ENAMETOOLONG') return problem('bad-path', path, 'The path is too long for the file system.');
  return problem('unreadable', path, `The file cannot be read (${code}).`);
}
