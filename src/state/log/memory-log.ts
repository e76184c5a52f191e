import { nanoid } from 'nanoid';
import { encodeLine, hashLine } from './codec.ts';
import { type AppendResult, type Commit, type CommitDraft, type CommitLog, StoreError } from './commit-log.ts';
import { logLimits } from './limits.ts';

/** A log that lives as long as the process; handles made of the same `MemoryStore` share it. */
export class MemoryStore {
  readonly commits: Commit[] = [];
  readonly listeners = new Set<() => void>();
}

export function openMemoryLog(store = new MemoryStore()): CommitLog {
  return {
    read: async (afterVersion) => store.commits.slice(afterVersion),
    append: async (draft, expectedVersion) => append(store, draft, expectedVersion),
    sync: async () => {},
    watch: (onChange) => {
      store.listeners.add(onChange);
      return () => store.listeners.delete(onChange);
    },
    health: async () => {
      const log = store.commits[0]?.log;
      return { store: 'memory', where: 'memory', version: store.commits.length, ...(log !== undefined && { log }) };
    },
    close: async () => {},
  };
}

function append(store: MemoryStore, draft: CommitDraft, expectedVersion: number): AppendResult {
  const { commits } = store;
  if (expectedVersion !== commits.length) return { conflict: commits.length };
  const last = commits[commits.length - 1];
  const line = encodeLine({
    v: 1,
    version: expectedVersion + 1,
    prev: last === undefined ? '' : hashLine(encodeLine(last).subarray(0, -1)),
    ...draft,
    ...(last === undefined && { log: nanoid(), features: [] }),
  });
  if (line.length > logLimits.commitBytesMax) throw tooLarge(line.length);
  const commit = JSON.parse(line.toString()) as Commit;
  commits.push(commit);
  for (const listener of store.listeners) listener();
  return { appended: commit };
}

export function tooLarge(bytes: number): StoreError {
  return new StoreError(
    'too-large',
    `The commit would be ${bytes} bytes and at most ${logLimits.commitBytesMax} fit; nothing was written. Send less at once.`,
    { bytes, bytesMax: logLimits.commitBytesMax },
  );
}
