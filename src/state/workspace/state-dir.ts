import { lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Makes the state folder (mode 0700, with its own ignore file so that git status stays clean) where it is missing;
 * answers whether it is there now. A link in its place is not followed: a repository may carry one to anywhere.
 */
export function makeStateDir(stateDir: string): boolean {
  try {
    mkdirSync(stateDir, { mode: 0o700 });
  } catch {
    // There already, or not to be made: the look below tells.
  }
  if (!isStateDir(stateDir)) return false;
  try {
    writeFileSync(join(stateDir, '.gitignore'), '*\n', { flag: 'wx', mode: 0o600 });
  } catch {
    // There already, or the folder is read-only: then nothing else will be written here either.
  }
  return true;
}

/** Whether the state folder exists; never makes it, for reads that keep a note only where there is a store. */
export function isStateDir(stateDir: string): boolean {
  try {
    return lstatSync(stateDir).isDirectory();
  } catch {
    return false;
  }
}
