import { closeSync, fsyncSync, lstatSync, mkdirSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeStateDir } from '../workspace/state-dir.ts';
import { SegmentFile, segmentPath } from './segment-file.ts';
import { isCode } from './store-trouble.ts';

/** Opens a segment for writing and makes it, and the folders it needs, where they are missing. Throws what fs throws. */
export function makeSegment(stateDir: string, segment: number): SegmentFile {
  const folder = join(stateDir, 'log');
  if (segment === 1) makeFolders(stateDir, folder);
  return SegmentFile.make(segmentPath(folder, segment));
}

function makeFolders(stateDir: string, folder: string): void {
  for (const each of [stateDir, folder]) {
    try {
      mkdirSync(each, { mode: 0o700 });
    } catch (error) {
      if (!isCode(error, 'EEXIST')) throw error;
    }
    // A link to a folder elsewhere would be followed by what comes after.
    if (!lstatSync(each).isDirectory()) throw Object.assign(new Error(`${each} is not a folder`), { code: 'ENOTDIR' });
  }
  makeStateDir(stateDir);
}

/** Makes the names of the segments lasting: each folder on the way is on the disk after this. */
export function syncFolders(stateDir: string): void {
  // Windows keeps names with the files and cannot open a folder.
  if (process.platform === 'win32') return;
  for (const folder of [join(stateDir, 'log'), stateDir, dirname(stateDir)]) syncFolder(folder);
}

function syncFolder(folder: string): void {
  let fd: number;
  try {
    fd = openSync(folder, 'r');
  } catch (error) {
    // A folder above may be one that can be passed but not listed, hence not opened.
    if (isCode(error, 'EACCES')) return;
    throw error;
  }
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Has a file on the disk that was written in any way. */
export function syncFile(path: string): void {
  const fd = openSync(path, 'r+');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
