import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { asConfigError, type ConfigFile } from './config-file.ts';

const mark = '.loopx-backup-';

/**
 * Keeps the file as it is now beside it, once a day for each content. Answers the backup's path; nothing for a file
 * that is not there.
 * @param day as "2026-12-31"
 * @throws ConfigError when it cannot be written: then nothing else may be
 */
export function backUp(file: ConfigFile, day: string): string | undefined {
  if (!file.isThere) return undefined;
  const digest = createHash('sha256').update(file.text).digest('hex').slice(0, 8);
  const path = `${file.realPath}${mark}${day}-${digest}`;
  return asConfigError(() => {
    if (!fs.existsSync(path)) fs.writeFileSync(path, file.text, { flag: 'wx', mode: file.mode ?? 0o600, flush: true });
    return path;
  });
}

export interface Backup {
  readonly path: string;
  readonly text: string;
}

/** The backups of a file, the newest first. One that cannot be read is none. */
export function backupsOf({ realPath }: ConfigFile): readonly Backup[] {
  const folder = dirname(realPath);
  if (!fs.existsSync(folder)) return [];
  return fs
    .readdirSync(folder)
    .filter((name) => name.startsWith(basename(realPath) + mark))
    .map((name) => join(folder, name))
    .flatMap((path) => {
      try {
        return [{ path, text: fs.readFileSync(path, 'utf8'), at: fs.statSync(path).mtimeMs }];
      } catch {
        return [];
      }
    })
    .sort((a, b) => b.at - a.at);
}

/** Takes a backup away whose text is in the file again. */
export function dropBackup(path: string): void {
  fs.rmSync(path, { force: true });
}
