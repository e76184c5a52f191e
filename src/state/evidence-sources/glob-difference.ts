import type { HashedFile } from './hash-file.ts';
import type { HashedGlob } from './hash-glob.ts';

export interface FileDifference {
  readonly path: string;
  readonly what: 'changed' | 'added' | 'removed';
}

/**
 * The first file in which two digests of one glob differ, or undefined when they are the same or when the difference
 * lies beyond the files that were kept one by one.
 */
export function globDifference(before: HashedGlob, now: HashedGlob): FileDifference | undefined {
  if (before.sha256 === now.sha256) return undefined;
  const [old, present] = [byPath(before.files), byPath(now.files)];
  // A file beyond the end of a list that was cut is not known to be absent.
  const [lastOld, lastPresent] = [lastKept(before), lastKept(now)];
  for (const path of [...new Set([...old.keys(), ...present.keys()])].sort(byBytes)) {
    const [was, is] = [old.get(path), present.get(path)];
    if (was !== undefined && is !== undefined && was !== is) return { path, what: 'changed' };
    if (was === undefined && isWithin(path, lastOld)) return { path, what: 'added' };
    if (is === undefined && isWithin(path, lastPresent)) return { path, what: 'removed' };
  }
  return undefined;
}

function byPath(files: readonly HashedFile[]): ReadonlyMap<string, string> {
  return new Map(files.map(({ path, sha256 }) => [path, sha256]));
}

function lastKept({ count, files }: HashedGlob): string | undefined {
  return count > files.length ? files.at(-1)?.path : undefined;
}

function isWithin(path: string, last: string | undefined): boolean {
  return last === undefined || byBytes(path, last) < 0;
}

function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
