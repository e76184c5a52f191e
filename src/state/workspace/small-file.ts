import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

/**
 * The text of a small regular file, or undefined when it is missing, not regular, larger than `sizeBytesMax`, or
 * unreadable. Files that other programs wrote are only ever read through this, so none can hang or flood the reader.
 */
export function readSmallFile(path: string, sizeBytesMax: number): string | undefined {
  let fd: number;
  try {
    // Without O_NONBLOCK the open of a named pipe would wait for its writer.
    fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch {
    return undefined;
  }
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile() || stat.size > sizeBytesMax) return undefined;
    return readFileSync(fd, 'utf8');
  } catch {
    return undefined;
  } finally {
    closeSync(fd);
  }
}
