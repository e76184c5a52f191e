/** Bounds of the file store. */
export const logLimits = {
  /** A longer line is never a commit, its newline included. */
  commitBytesMax: 256 * 1024,
  segmentBytesMax: 8 * 1024 * 1024,
  /** Read at once; more than a commit, so that a line that does not fit is known to be none. */
  readBytes: 1024 * 1024,
  retryMsMax: 5_000,
  retryPauseMsMax: 200,
  pollMs: 250,
  /** Commits kept in memory for a reader that asks again from a little further back. */
  keptCommits: 256,
} as const;
