/**
 * The port of the commit log: one ordered, append-only sequence of commits with dense versions 1, 2, 3 …
 *
 * What every store owes its caller (held by `test/contract/commit-log.contract.ts`, which all stores run):
 * 1. One winner a version: of two appends at one expected version exactly one is appended, the other gets a conflict.
 * 2. Acknowledged = durable: once `append` answers `appended`, the commit survives kill -9 and loss of power.
 * 3. Readers see whole commits in version order: never a torn one, a gap, or two commits at one version.
 * 4. A writer paused for any time cannot damage or reorder anything when it resumes: it gets a conflict.
 * 5. Nothing expires and no lock is held between calls.
 */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined };

/** What a writer hands over; `id` is a nanoid by which a lost answer is found again, `at` is UTC in milliseconds ISO. */
export interface CommitDraft {
  readonly id: string;
  readonly at: string;
  readonly by: { readonly [key: string]: Json | undefined };
  readonly command: { readonly [key: string]: Json | undefined };
  readonly events: readonly LogEvent[];
}

/** An event as the log sees it: a kind in the past tense ("todo.claimed") and data that only the kernel understands. */
export interface LogEvent {
  readonly type: string;
}

export interface Commit extends CommitDraft {
  readonly v: 1;
  /** Position in the log; the first commit is 1. */
  readonly version: number;
  /** SHA-256 (hex) of the line of the commit before, '' for the first. */
  readonly prev: string;
  /** Only in commit 1: the random id of this log and the features its format uses. */
  readonly log?: string;
  readonly features?: readonly string[];
}

export type AppendResult = { readonly appended: Commit } | { readonly conflict: number };

/** How the store stands: `problem` is absent when it can be written. */
export interface StoreHealth {
  readonly store: 'memory' | 'file' | 'postgres';
  readonly where: string;
  readonly version: number;
  readonly log?: string;
  readonly problem?: { readonly code: StoreErrorCode; readonly message: string };
}

export interface CommitLog {
  /**
   * The commits after that version in order, up to the end as it is now. Of a damaged or newer log it answers what is good
   * first and throws StoreError when nothing good is left to tell, so ask until there is no answer.
   */
  read(afterVersion: number): Promise<readonly Commit[]>;
  /** Adds one commit as version `expectedVersion + 1`, durable when it answers; throws StoreError, never half writes. */
  append(draft: CommitDraft, expectedVersion: number): Promise<AppendResult>;
  /** Makes everything this process has read durable, for answers that rest on commits of other writers. */
  sync(): Promise<void>;
  /** Calls back (at most every few ms) when other processes may have appended; answers the way to stop. */
  watch(onChange: () => void): () => void;
  health(): Promise<StoreHealth>;
  /** The clock by which leases are measured, ms UTC; a store without one leaves it to this machine's. */
  now?(): number;
  close(): Promise<void>;
}

export type StoreErrorCode =
  | 'store-read-only'
  | 'store-damaged'
  | 'store-replaced'
  | 'store-busy'
  | 'newer-format'
  | 'outcome-unknown'
  | 'too-large';

/** The one class of operational failure of a store; `details` names file, line and last good version where known. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreErrorCode;
  readonly details: { readonly [key: string]: Json | undefined };

  constructor(
    code: StoreErrorCode,
    message: string,
    details: { readonly [key: string]: Json | undefined } = {},
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.details = details;
  }
}
