import { createHash } from 'node:crypto';
import { open, realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { EvidenceFacts } from './facts.ts';

/** Digests by path, so that a file that much evidence rests on is read once. */
export type Hashes = Map<string, Promise<string>>;

/**
 * Why evidence that is shown fresh is not, by the files as they are now; undefined when each has its recorded content.
 * Of a glob the recorded files are read, and all of them together digested where all were recorded.
 */
export async function changedSince(root: string, evidence: EvidenceFacts, hashes: Hashes): Promise<string | undefined> {
  const { files, globs } = evidence.record;
  for (const { path, sha256 } of [...files, ...globs.flatMap((glob: { files: unknown[] }) => glob.files)]) {
    const known = hashes.get(path) ?? hashNow(root, path);
    hashes.set(path, known);
    const now = await known;
    if (now !== sha256) return `${path} ${now.length === 64 ? 'has other content' : now}`;
  }
  for (const { glob, sha256, count, files: kept } of globs) {
    if (count !== kept.length) continue;
    const digest = createHash('sha256');
    for (const file of kept) digest.update(`${file.path}\0${file.sha256}\n`);
    if (digest.digest('hex') !== sha256) return `the digest of ${glob} is not that of its files`;
  }
  return undefined;
}

/** SHA-256 (hex) of a file under the root, or in words why there is none. */
async function hashNow(root: string, path: string): Promise<string> {
  try {
    const real = await realpath(join(root, path));
    const place = relative(await realpath(root), real);
    if (place === '..' || place.startsWith(`..${sep}`)) return 'lies outside the workspace';
    const file = await open(real, 'r');
    try {
      if (!(await file.stat()).isFile()) return 'is not a regular file';
      const hash = createHash('sha256');
      for await (const chunk of file.createReadStream({ autoClose: false })) hash.update(chunk as Buffer);
      return hash.digest('hex');
    } finally {
      await file.close();
    }
  } catch (error) {
    return `cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`;
  }
}
