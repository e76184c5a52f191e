import { createHash } from 'node:crypto';

/** A file name for any text that people choose: itself where that is plainly safe, else a digest of it. */
export function fileNameOf(text: string): string {
  if (/^[a-z0-9_][a-z0-9_-]{0,99}$/.test(text)) return text;
  return `~${createHash('sha256').update(text).digest('hex').slice(0, 40)}`;
}
