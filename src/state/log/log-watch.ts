import { type FSWatcher, statSync, watch } from 'node:fs';
import { join } from 'node:path';
import { logLimits } from './limits.ts';
import { segmentName, segmentsIn } from './segment-file.ts';

/**
 * Calls back when the log may have grown: at once where the system tells, and by a slow poll of the last segment's size
 * where it does not. Tolerates a folder that is not there yet; keeps no process alive.
 */
export function watchFolder(folder: string, onChange: () => void): () => void {
  let watcher: FSWatcher | undefined;
  let last = endOf(folder);
  const look = () => {
    const end = endOf(folder);
    if (end === last) return;
    last = end;
    onChange();
  };
  const listen = () => {
    try {
      watcher = watch(folder, { persistent: false }, look);
      watcher.on('error', () => {
        watcher?.close();
        watcher = undefined;
      });
    } catch {
      watcher = undefined;
    }
  };
  const timer = setInterval(() => {
    if (!watcher) listen();
    look();
  }, logLimits.pollMs);
  timer.unref();
  listen();
  return () => {
    clearInterval(timer);
    watcher?.close();
  };
}

/** What tells one end of the log from another: its last segment, whoever has read how far, and that file's size. */
function endOf(folder: string): string {
  try {
    const name = segmentName(segmentsIn(folder).at(-1) ?? 1);
    const { ino, size } = statSync(join(folder, name));
    return `${name} ${ino} ${size}`;
  } catch {
    // There is no log yet, or it cannot be looked at; a call that needs it says why.
    return '';
  }
}
