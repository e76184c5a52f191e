import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { z } from 'zod';
import { readSmallFile } from '../workspace/small-file.ts';

/** Nothing that is kept here comes near it; a larger file was not written by us. */
const sizeBytesMax = 256 * 1024;

let counter = 0;

/** A file's content as the schema reads it, or undefined when it is missing, too large, or not of that shape. */
export function readJson<S extends z.ZodType>(path: string, schema: S): z.output<S> | undefined {
  const text = readSmallFile(path, sizeBytesMax);
  if (text === undefined) return undefined;
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/**
 * Replaces a file in one step (temporary file, then rename), so that no reader ever sees half of it; makes its folder.
 * Answers whether it was written: all that is kept beside the log can be done without, so a full or read-only disk
 * here is no error. Not synced to the disk either, for the same reason.
 */
export function writeJson(path: string, value: unknown): boolean {
  const text = `${JSON.stringify(value)}\n`;
  if (Buffer.byteLength(text) > sizeBytesMax) return false;
  const temporary = join(dirname(path), `.${basename(path)}.${process.pid}.${++counter}.tmp`);
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(temporary, text, { flag: 'wx', mode: 0o600 });
    renameSync(temporary, path);
    return true;
  } catch {
    rmSync(temporary, { force: true });
    return false;
  }
}
