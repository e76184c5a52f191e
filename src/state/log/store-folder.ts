import { existsSync, lstatSync, statfsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StoreError } from './commit-log.ts';

/** Local file systems on which an append is one atomic step and fdatasync means the disk (statfs magic numbers). */
const localFileSystems = new Map<number, string>([
  [0xef53, 'ext'],
  [0x58465342, 'xfs'],
  [0x9123683e, 'btrfs'],
  [0x01021994, 'tmpfs'],
  [0x858458f6, 'ramfs'],
  [0x794c7630, 'overlay'],
  [0x2fc12fc1, 'zfs'],
  [0xf2f52010, 'f2fs'],
  [0xca451a4e, 'bcachefs'],
  [0x1a, 'apfs'],
  [0x11, 'hfs'],
]);

/**
 * Throws a StoreError where the folder cannot be trusted with a log: a network or unknown file system, another user's
 * folder, one that everybody can write, a link to somewhere else. A folder that is not there yet is judged by the one it will be made in.
 */
export function checkStoreFolder(folder: string): void {
  let place = folder;
  while (!existsSync(place) && dirname(place) !== place) place = dirname(place);
  const type = Number(BigInt.asUintN(32, BigInt(statfsSync(place).type)));
  if (process.platform !== 'win32' && !localFileSystems.has(type)) {
    throw new StoreError(
      'store-read-only',
      `${folder} lies on a file system (type 0x${type.toString(16)}) that is not known to be local; nothing was written. Keep the workspace on a local disk, or set LOOPX_STORE=postgres://… for a team.`,
      { folder, fileSystem: `0x${type.toString(16)}` },
    );
  }
  if (process.platform === 'win32') return;
  for (const each of [folder, join(folder, 'log')]) refuseOpenFolder(each);
}

function refuseOpenFolder(folder: string): void {
  const stat = lstatSync(folder, { throwIfNoEntry: false });
  if (stat === undefined) return;
  if (!stat.isDirectory()) {
    const message = `${folder} is a link or a file and not a folder of this workspace; nothing was written. Remove it.`;
    throw new StoreError('store-read-only', message, { folder });
  }
  const { uid } = stat;
  const mode = (stat.mode & 0o777).toString(8);
  if (process.getuid !== undefined && uid !== process.getuid()) {
    const message = `${folder} belongs to another user (uid ${uid}); nothing was written. Use a workspace of your own.`;
    throw new StoreError('store-read-only', message, { folder, uid });
  }
  if ((stat.mode & 0o002) !== 0) {
    const message = `${folder} can be written by everybody (mode ${mode}); nothing was written. Run chmod 700 on it.`;
    throw new StoreError('store-read-only', message, { folder, mode });
  }
}
