import { fstatSync } from 'node:fs';
import { join } from 'node:path';
import type { StoreError } from './commit-log.ts';
import { failedSyncMarker } from './durability.ts';
import { exists, SegmentFile, segmentName, segmentPath, segmentsIn } from './segment-file.ts';
import { type LogPosition, SegmentReader } from './segment-reader.ts';
import { syncFailed, unreadable } from './store-trouble.ts';

interface SegmentReport {
  readonly file: string;
  readonly bytes: number;
  readonly lines: number;
  readonly commits: number;
  /** Whether bytes without a newline end it: a write under way, or a torn one. */
  readonly hasTail: boolean;
}

export interface LogReport {
  readonly folder: string;
  /** Random id of the log; absent before its first commit. */
  readonly log?: string;
  /** The log is good up to this version. */
  readonly version: number;
  readonly segments: readonly SegmentReport[];
  /** Lines that are no commits: lost races, torn writes, and whatever comes after the trouble. */
  readonly inertLines: number;
  /** Where a reader stands at the last good commit. */
  readonly position: LogPosition;
  readonly trouble?: StoreError;
}

/**
 * Walks the whole log from its first byte and reports what is in it. Writes nothing and throws nothing of the log's: what
 * is wrong with it is in the report.
 * @param knowsEvent whether this version can fold events of that kind; all are taken where it is not given
 */
export function verifyLog(stateDir: string, knowsEvent: (type: string) => boolean = () => true): LogReport {
  const folder = join(stateDir, 'log');
  const reader = new SegmentReader(folder, knowsEvent);
  const commits = new Map<number, number>();
  let trouble: StoreError | undefined;
  try {
    reader.read(() => {
      const { segment } = reader.position;
      commits.set(segment, (commits.get(segment) ?? 0) + 1);
    });
  } catch (error) {
    trouble = unreadable(error, folder);
  } finally {
    reader.close();
  }
  const { position } = reader;
  const { version, log } = position;
  const marker = join(folder, failedSyncMarker);
  if (!trouble && exists(marker)) trouble = syncFailed({ file: marker, lastGoodVersion: version });
  const segments = listed(folder).flatMap((number) => segmentReport(folder, number, commits.get(number) ?? 0) ?? []);
  return {
    folder,
    ...(log !== '' && { log }),
    version,
    segments,
    inertLines: segments.reduce((sum, { lines, commits }) => sum + lines - commits, 0),
    position,
    ...(trouble && { trouble }),
  };
}

function listed(folder: string): readonly number[] {
  try {
    return segmentsIn(folder);
  } catch {
    return [];
  }
}

function segmentReport(folder: string, number: number, commits: number): SegmentReport | undefined {
  let file: SegmentFile | undefined;
  try {
    file = SegmentFile.open(segmentPath(folder, number));
    if (!file) return undefined;
    let lines = 0;
    const hasTail = file.readLines(0, () => {
      lines++;
      return true;
    });
    return { file: segmentName(number), bytes: fstatSync(file.fd).size, lines, commits, hasTail };
  } catch {
    // The trouble of the report says why a segment cannot be read.
    return undefined;
  } finally {
    file?.close();
  }
}
