import type { CommitLog } from '../../src/state/log/commit-log.ts';
import { MemoryStore, openMemoryLog } from '../../src/state/log/memory-log.ts';

/** Makes one handle on the shared log; a broken one owes its callers less than the port says. */
export type OpenStore = (store: MemoryStore) => CommitLog;

/** Others get their turn before the answer, as they do while a disk writes. */
const pause = () => new Promise<void>((resolve) => setImmediate(resolve));

export const sound: OpenStore = (store) => {
  const log = openMemoryLog(store);
  return {
    ...log,
    append: async (draft, expected) => {
      await pause();
      return log.append(draft, expected);
    },
  };
};

/** Its conflict check is removed: what was decided on an older state is appended to the newer one. */
export const withoutConflicts: OpenStore = (store) => {
  const log = openMemoryLog(store);
  return {
    ...log,
    append: async (draft) => {
      await pause();
      return log.append(draft, store.commits.length);
    },
  };
};

/** It acknowledges some commits that it then does not keep: here, those that a twin of the log took instead. */
export const forgetful = (): OpenStore => {
  let times = 0;
  return (store) => {
    const log = openMemoryLog(store);
    return {
      ...log,
      append: async (draft, expected) => {
        await pause();
        if (++times % 10 !== 0) return log.append(draft, expected);
        const lost = new MemoryStore();
        lost.commits.push(...store.commits);
        return openMemoryLog(lost).append(draft, lost.commits.length);
      },
    };
  };
};

/** Its readers are shown the log as it was a little while ago, until they write. */
export const stale: OpenStore = (store) => {
  const log = openMemoryLog(store);
  let shown = 0;
  return {
    ...log,
    read: async (after) => {
      const commits = store.commits.slice(after, Math.max(shown, after));
      if (Math.random() < 0.3) shown = store.commits.length;
      return commits;
    },
    append: async (draft, expected) => {
      await pause();
      const result = await log.append(draft, expected);
      shown = store.commits.length;
      return result;
    },
  };
};
