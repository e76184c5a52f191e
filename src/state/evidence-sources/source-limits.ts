/** Bounds of what the server hashes for one piece of evidence; over them it is refused, never cut. */
export const sourceLimits = {
  fileSizeBytesMax: 64 * 1024 * 1024,
  globSizeBytesMax: 512 * 1024 * 1024,
  globFilesMax: 1_000,
  /** So many of a glob's files are kept one by one, so that what changed can be named. */
  globFilesKept: 200,
  globTimeMsMax: 10_000,
  pathCharsMax: 1_024,
  globCharsMax: 300,
  gitTimeMsMax: 5_000,
} as const;

export type SourceLimits = { readonly [limit in keyof typeof sourceLimits]: number };
