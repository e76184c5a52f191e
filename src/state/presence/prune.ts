import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { PresenceStore } from './presence-store.ts';
import { standingOf } from './sight.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** What cannot be proved dead (another boot, another container, damage) is kept this long after its last write. */
const unknownMs = 30 * dayMs;

/** Removes what nobody will ask for again; whoever writes does it now and then. Never throws. */
export function prunePresence(store: PresenceStore, nowMs: number): void {
  for (const { name, path, ageMs } of oldFiles(store.folder, nowMs)) {
    if (name.endsWith('.tmp')) rmSync(path, { force: true });
    else if (ageMs > dayMs) {
      const record = store.read(name.slice(0, -'.json'.length));
      const { standing } = standingOf(record, store.self);
      if (standing === 'dead' || record?.kind === 'cli' || (standing === 'unknown' && ageMs > unknownMs)) {
        rmSync(path, { force: true });
      }
    }
  }
  for (const { path, ageMs } of oldFiles(join(store.folder, 'watches'), nowMs)) {
    if (ageMs > dayMs) rmSync(path, { force: true });
  }
  for (const { path, ageMs } of oldFiles(join(store.folder, 'agents'), nowMs)) {
    if (ageMs > unknownMs) rmSync(path, { force: true });
  }
}

/** Regular files not written for an hour; none where the folder cannot be read. */
function oldFiles(folder: string, nowMs: number): readonly { name: string; path: string; ageMs: number }[] {
  try {
    return readdirSync(folder).flatMap((name) => {
      const path = join(folder, name);
      const stat = statSync(path, { throwIfNoEntry: false });
      const ageMs = stat?.isFile() ? nowMs - stat.mtimeMs : 0;
      return ageMs > hourMs ? [{ name, path, ageMs }] : [];
    });
  } catch {
    return [];
  }
}
