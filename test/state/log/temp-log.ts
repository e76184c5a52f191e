import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type FileLog, type FileLogOptions, openFileLog } from '../../../src/state/log/file-log.ts';
import { segmentPath } from '../../../src/state/log/segment-file.ts';

export function tempFolder(): string {
  return mkdtempSync(join(tmpdir(), 'loopx-log-'));
}

export interface TempLog {
  readonly stateDir: string;
  readonly folder: string;
  /** Another handle, as another process would have it. */
  open(options?: Omit<FileLogOptions, 'stateDir'>): FileLog;
  path(segment: number): string;
}

/** A place for a log that is gone when the test is. */
export function tempLog(): TempLog {
  const root = tempFolder();
  const stateDir = join(root, 'state');
  const handles: FileLog[] = [];
  onTestFinished(async () => {
    for (const handle of handles) await handle.close();
    rmSync(root, { recursive: true, force: true });
  });
  return {
    stateDir,
    folder: join(stateDir, 'log'),
    open(options = {}) {
      const log = openFileLog({ stateDir, ...options });
      handles.push(log);
      return log;
    },
    path: (segment) => segmentPath(join(stateDir, 'log'), segment),
  };
}
