/** Bounds of the file store. */
export const logLimits = {
  commitBytesMax: 256 * 1024,
  segmentBytesMax: 8 * 1024 * 1024,
  readBytes: 1024 * 1024,
  retryMsMax: 5_000,
  pollMs: 250,
  /** Commits kept in memory for a reader that asks again from a little further back. */
  keptCommits: 256,
} as const;
