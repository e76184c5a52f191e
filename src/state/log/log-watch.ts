import { type FSWatcher, statSync, watch } from 'node:fs';
import { logLimits } from './limits.ts';

/**
 * Calls back when the log may have grown: at once where the system tells, and by a slow poll of the last segment's size
 * where it does not. Tolerates a folder that is not there yet; keeps no process alive.
 */
export function watchFolder(folder: string, path: () => string, onChange: () => void): () => void {
  let watcher: FSWatcher | undefined;
  let last = sizeOf(path());
  const look = () => {
    const size = sizeOf(path());
    if (size === last) return;
    last = size;
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

function sizeOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? '' : `${stat.ino}:${stat.size}:${path}`;
}
