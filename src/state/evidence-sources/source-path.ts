import { posix, win32 } from 'node:path';
import { problem, type SourceProblem } from './problem.ts';
import { sourceLimits } from './source-limits.ts';

/** A path as evidence names it: relative to the workspace root, `/` between its parts, `.` and `..` resolved. */
export function parseSourcePath(path: string): { readonly path: string } | SourceProblem {
  if (path === '' || path.length > sourceLimits.pathCharsMax || path.includes('\0')) {
    return problem(
      'bad-path',
      path.slice(0, 100),
      `A path has 1 to ${sourceLimits.pathCharsMax} characters, none of them NUL.`,
    );
  }
  if (posix.isAbsolute(path) || win32.isAbsolute(path) || /^[A-Za-z]:/.test(path)) {
    return problem('outside', path, 'Name the file relative to the workspace root, not by an absolute path.');
  }
  const normal = posix.normalize(path);
  if (normal === '..' || normal.startsWith('../')) return problem('outside', path, 'The path leaves the workspace.');
  if (normal.endsWith('/') || normal === '.')
    return problem('not-a-file', path, 'The path names a folder, not a file.');
  return isPrivate(normal) ? problem('private', path, 'What lies in .git or .loopx is no evidence.') : { path: normal };
}

/** Whether a path goes through .git or .loopx; without regard to case, as some file systems have it. */
export function isPrivate(path: string): boolean {
  return path.split(/[/\\]/).some((part) => /^\.(git|loopx)$/i.test(part));
}
