import { StoreError } from './commit-log.ts';

/** Where the trouble is: the file, the line in it (from 1), and the version up to which the log is good. */
export interface TroublePlace {
  readonly file: string;
  readonly line?: number;
  readonly lastGoodVersion: number;
}

export function damaged(what: string, place: TroublePlace): StoreError {
  const at = place.line === undefined ? place.file : `${place.file} line ${place.line}`;
  return new StoreError(
    'store-damaged',
    `The log is damaged at ${at}: ${what}. It is good up to version ${place.lastGoodVersion} and nothing is written over it; loopx doctor explains, loopx log repair mends it after a backup.`,
    { ...place },
  );
}

export function newerFormat(what: string, place: TroublePlace): StoreError {
  return new StoreError(
    'newer-format',
    `The log holds ${what}, written by a newer loopx; this one reads it only up to version ${place.lastGoodVersion} and writes nothing. Update loopx-mcp.`,
    { ...place },
  );
}

export function replaced(how: string, place: TroublePlace): StoreError {
  return new StoreError(
    'store-replaced',
    `The log ${place.file} ${how} while this process used it (version ${place.lastGoodVersion}); nothing is written in its place. Put it back, or start this process again to take what is there now; loopx doctor tells what that is.`,
    { ...place },
  );
}

/** The disk once failed to confirm what it was given; nobody can tell by reading what is on it. */
export function syncFailed(place: TroublePlace): StoreError {
  return new StoreError(
    'store-read-only',
    'The disk once failed to take the log (fdatasync), so nobody can tell what is on it; nothing is written until loopx log repair has copied and checked it.',
    { ...place },
  );
}

export function outcomeUnknown(why: string, version: number, cause: unknown): StoreError {
  return new StoreError(
    'outcome-unknown',
    `The commit was handed to the system, but ${why}; it may or may not last. Ask again with the same idempotency key.`,
    { version },
    cause,
  );
}

/** A failed call of the system before anything of a commit was in the log. */
export function unwritable(error: unknown, folder: string): StoreError {
  return unusable(error, folder, 'written', '; nothing was written');
}

export function unreadable(error: unknown, folder: string): StoreError {
  return unusable(error, folder, 'read', '');
}

function unusable(error: unknown, folder: string, verb: string, rest: string): StoreError {
  if (error instanceof StoreError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  const isFull = code === 'ENOSPC' || code === 'EDQUOT';
  const why = isFull ? `the disk is full, ${code}` : (code ?? message);
  return new StoreError(
    'store-read-only',
    `The log in ${folder} cannot be ${verb} (${why})${rest}.`,
    { folder, cause: code ?? message },
    error,
  );
}

export function isCode(error: unknown, ...codes: readonly string[]): boolean {
  return codes.includes((error as NodeJS.ErrnoException | undefined)?.code ?? '');
}
