import { cpSync, existsSync, readdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { nanoid } from 'nanoid';
import { StoreError } from './commit-log.ts';
import { failedSyncMarker } from './durability.ts';
import { segmentName, segmentPath, segmentsIn } from './segment-file.ts';
import { syncFile, syncFolders } from './segment-maker.ts';
import { type LogReport, verifyLog } from './verify-log.ts';

export interface RepairReport {
  /** The folder that holds all files as they were. */
  readonly backup: string;
  readonly before: LogReport;
  readonly after: LogReport;
}

/** How long a writer that has just looked for the marker is given to end its append. */
const lastWriteMs = 300;

/**
 * Mends a damaged log as docs/log-protocol.md allows: backs everything up, then puts copies of the segments up to the last
 * good commit, byte for byte, in the place of the old ones. A snapshot goes into the backup too, since it may claim
 * more than is left. Servers that run meanwhile answer `store-replaced` until they are started again.
 * @returns undefined where nothing needs mending
 * @throws StoreError where no commit is good, where the log was written by a newer version, or where the disk refuses
 */
export async function repairLog(
  stateDir: string,
  knowsEvent?: (type: string) => boolean,
): Promise<RepairReport | undefined> {
  const before = verifyLog(stateDir, knowsEvent);
  const hasSnapshot = existsSync(join(stateDir, 'snapshot.json'));
  if (before.trouble?.code === 'newer-format') throw before.trouble;
  if (!before.trouble && !hasSnapshot) return undefined;
  if (before.version === 0 && before.segments.length > 0) {
    throw new StoreError(
      'store-damaged',
      `No commit of the log in ${before.folder} is good, so there is nothing to go on with; put a backup in its place. Nothing was changed.`,
      { folder: before.folder },
    );
  }
  try {
    return await mend(stateDir, knowsEvent);
  } catch (error) {
    if (error instanceof StoreError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw new StoreError(
      'store-read-only',
      `The log in ${before.folder} could not be mended (${code ?? message}); it stays read-only and every file is there as it was or in the backup. Try again once that is over.`,
      { folder: before.folder, cause: code ?? message },
      error,
    );
  }
}

async function mend(stateDir: string, knowsEvent?: (type: string) => boolean): Promise<RepairReport> {
  const folder = join(stateDir, 'log');
  const marker = join(folder, failedSyncMarker);
  // Nobody writes while the marker is there; it goes last, so that a repair that breaks off can be begun again.
  if (existsSync(folder)) writeFileSync(marker, `${JSON.stringify({ repairedBy: process.pid })}\n`, { flag: 'a' });
  await sleep(lastWriteMs);
  const before = verifyLog(stateDir, knowsEvent);
  const backup = backUp(stateDir);
  const { segment, offset } = before.position;
  for (const number of [...segmentsIn(folder)].reverse()) {
    if (number > segment) rmSync(segmentPath(folder, number));
  }
  for (const number of segmentsIn(folder)) {
    const own = join(folder, `mended-${nanoid()}`);
    cpSync(join(backup, 'log', segmentName(number)), own);
    if (number === segment) truncateSync(own, offset);
    syncFile(own);
    renameSync(own, segmentPath(folder, number));
  }
  rmSync(join(stateDir, 'snapshot.json'), { force: true });
  if (existsSync(folder)) syncFolders(stateDir);
  rmSync(marker, { force: true });
  return { backup, before, after: verifyLog(stateDir, knowsEvent) };
}

/** Copies the log and the snapshot to a folder of their own beside them, and has them on the disk. */
function backUp(stateDir: string): string {
  const backup = join(stateDir, `log-backup-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`);
  for (const name of ['log', 'snapshot.json']) {
    const from = join(stateDir, name);
    if (existsSync(from)) cpSync(from, join(backup, name), { recursive: true, errorOnExist: true, force: false });
  }
  for (const entry of readdirSync(backup, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) syncFile(join(entry.parentPath ?? entry.path, entry.name));
  }
  return backup;
}
