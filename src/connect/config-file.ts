import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { ConfigError } from './config-error.ts';

/** A host may keep its history in the same file; beyond this something else is wrong with it. */
const sizeBytesMax = 32 * 1024 * 1024;
const linksMax = 20;

/** A configuration file as it was read. A file that is not there reads as empty. */
export interface ConfigFile {
  readonly path: string;
  /** Where the links lead: what is written, and beside which the backups lie. */
  readonly realPath: string;
  readonly text: string;
  readonly isThere: boolean;
  readonly mode: number | undefined;
}

/**
 * Reads a configuration file whole.
 * @param allowed the folders that the file may lie in once its links are followed: the home and the project
 * @throws ConfigError when it lies elsewhere, is no text of ours to edit, or cannot be read
 */
export function readConfig(path: string, allowed: readonly string[]): ConfigFile {
  return asConfigError(() => {
    const realPath = realOf(path, 0);
    if (!allowed.some((folder) => isInside(realPath, realOf(folder, 0)))) {
      const message = `It is really ${realPath}, outside the home folder and the project; change it there by hand.`;
      throw new ConfigError('config-outside', message);
    }
    const found = fs.statSync(realPath, { throwIfNoEntry: false });
    if (found === undefined) return { path, realPath, text: '', isThere: false, mode: undefined };
    if (!found.isFile()) throw new ConfigError('config-unreadable', 'It is no file.');
    if (found.size > sizeBytesMax)
      throw new ConfigError('config-too-large', `It has ${found.size} bytes; more than ${sizeBytesMax} are not read.`);
    return { path, realPath, text: decode(fs.readFileSync(realPath)), isThere: true, mode: found.mode & 0o7777 };
  });
}

/**
 * Puts the text in the file's place in one step, with the mode it had.
 * @param newMode for a file that was not there; the user's mask still counts
 * @throws ConfigError config-changed when somebody wrote since it was read, config-read-only
 */
export function writeConfig(file: ConfigFile, text: string, newMode: number): void {
  asConfigError(() => {
    assertWritable(file);
    fs.mkdirSync(dirname(file.realPath), { recursive: true });
    const draft = `${file.realPath}.${randomBytes(6).toString('hex')}.tmp`;
    try {
      const handle = fs.openSync(draft, 'wx', file.mode ?? newMode);
      try {
        fs.writeFileSync(handle, text);
        if (file.mode !== undefined) fs.fchmodSync(handle, file.mode);
        fs.fsyncSync(handle);
      } finally {
        fs.closeSync(handle);
      }
      assertUnchanged(file);
      fs.renameSync(draft, file.realPath);
    } finally {
      fs.rmSync(draft, { force: true });
    }
  });
}

/** Takes away a file that connect had made. @throws ConfigError as writeConfig */
export function removeConfig(file: ConfigFile): void {
  asConfigError(() => {
    assertWritable(file);
    assertUnchanged(file);
    fs.rmSync(file.realPath);
  });
}

/** Takes away the folder that the file was in, if nothing else is in it. */
export function removeEmptyFolder({ realPath }: ConfigFile): void {
  try {
    fs.rmdirSync(dirname(realPath));
  } catch {
    // Something else is in it, so it stays.
  }
}

/**
 * Whoever takes the right to write away from a file means it, also where a rename or root could pass over it.
 * @throws ConfigError config-read-only
 */
export function assertWritable({ mode }: ConfigFile): void {
  if (mode !== undefined && (mode & 0o222) === 0)
    throw new ConfigError('config-read-only', 'It is read-only; make it writable first.');
}

/** Hosts write these files too. */
function assertUnchanged({ realPath, text, isThere }: ConfigFile): void {
  const isSame = fs.existsSync(realPath) ? isThere && decode(fs.readFileSync(realPath)) === text : !isThere;
  if (!isSame) throw new ConfigError('config-changed', 'Somebody else wrote it just now; run the command again.');
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new ConfigError('config-not-text', 'It is not UTF-8 text.', { cause });
  }
}

/** The real path of what may not be there yet, behind a link to nowhere too. */
function realOf(path: string, links: number): string {
  if (fs.existsSync(path)) return fs.realpathSync(path);
  if (links > linksMax) throw new ConfigError('config-unreadable', 'Its links lead round in a circle.');
  const isLink = fs.lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink();
  if (isLink) return realOf(resolve(dirname(path), fs.readlinkSync(path)), links + 1);
  return dirname(path) === path ? path : join(realOf(dirname(path), links), basename(path));
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

const readOnlyCodes = new Set(['EACCES', 'EPERM', 'EROFS']);

export function asConfigError<T>(run: () => T): T {
  try {
    return run();
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (cause instanceof ConfigError || code === undefined) throw cause;
    throw readOnlyCodes.has(code)
      ? new ConfigError('config-read-only', `This user may not write there (${code}).`, { cause })
      : new ConfigError('config-unreadable', `The file system says ${code}.`, { cause });
  }
}
