import { backUp, backupsOf, dropBackup } from './backups.ts';
import { ConfigError, type ConfigErrorCode } from './config-error.ts';
import {
  assertWritable,
  type ConfigFile,
  readConfig,
  removeConfig,
  removeEmptyFolder,
  writeConfig,
} from './config-file.ts';
import { type Entry, type Host, type Scope, serverKey } from './host-table.ts';
import { readServer, textBefore, withoutServer, withServer } from './server-edit.ts';
import { showDiff } from './show-diff.ts';

/** What would be done to one file. */
export interface Change {
  readonly host: Host;
  readonly scope: Scope;
  readonly path: string;
  /** Undefined where there is nothing to do, or where the file was refused. */
  readonly edit?: Edit;
  readonly refusal?: { readonly code: ConfigErrorCode; readonly message: string };
}

interface Edit {
  readonly file: ConfigFile;
  /** Undefined to take the file away. */
  readonly text: string | undefined;
  readonly diff: string;
  /** A backup that says the same as `text`, and so has done its work. */
  readonly spentBackup?: string;
}

export interface Target {
  readonly host: Host;
  readonly scope: Scope;
  readonly path: string;
  readonly allowed: readonly string[];
}

/** What makes the host start the server as the entry says. Nothing is written. */
export function planConnect(target: Target, entry: Entry): Change {
  return planned(target, (file) => {
    const text = withServer(target.host, file.text, entry);
    return text === file.text ? undefined : { text };
  });
}

/** What takes the server out of the file: the bytes from before connect where nothing else has changed since. */
export function planDisconnect(target: Target): Change {
  const { host } = target;
  return planned(target, (file) => {
    // A file that never named us is not even parsed: whatever is wrong with it is not our business.
    if (!file.text.includes(serverKey) || readServer(host, file.text) === undefined) return undefined;
    const backups = backupsOf(file);
    const before = textBefore(host, file.text, [...backups.map(({ text }) => text), '']);
    const spent = backups.find(({ text }) => text === before);
    if (spent !== undefined) return { text: spent.text, spentBackup: spent.path };
    return { text: before === '' ? undefined : withoutServer(host, file.text) };
  });
}

/** Writes what was planned and answers the path of the backup, if one was needed. @throws ConfigError */
export function carryOut({ edit, host, scope }: Change, day: string): string | undefined {
  if (edit === undefined) return undefined;
  const { file, text, spentBackup } = edit;
  if (text === undefined) {
    removeConfig(file);
    // The folder of the host's file in the project, as `.cursor`, came with it if nothing else is in it.
    if (scope === 'project' && host.project?.some((name) => name.includes('/'))) removeEmptyFolder(file);
    return undefined;
  }
  const backup = spentBackup === undefined ? backUp(file, day) : undefined;
  writeConfig(file, text, scope === 'project' ? 0o666 : 0o600);
  if (spentBackup !== undefined) dropBackup(spentBackup);
  return backup;
}

type Wanted = Pick<Edit, 'text' | 'spentBackup'>;

function planned({ host, scope, path, allowed }: Target, want: (file: ConfigFile) => Wanted | undefined): Change {
  const change = { host, scope, path };
  try {
    const file = readConfig(path, allowed);
    const wanted = want(file);
    if (wanted === undefined) return change;
    assertWritable(file);
    const diff = showDiff(path, file.isThere ? file.text : undefined, wanted.text);
    return { ...change, edit: { file, diff, ...wanted } };
  } catch (error) {
    return { ...change, refusal: refusalOf(error) };
  }
}

/** @throws whatever is no ConfigError */
export function refusalOf(error: unknown): NonNullable<Change['refusal']> {
  if (!(error instanceof ConfigError)) throw error;
  return { code: error.code, message: error.message };
}
