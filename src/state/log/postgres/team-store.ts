import { basename } from 'node:path';
import type { ProcessIdentity } from '../../presence/process-identity.ts';
import { StoreError } from '../commit-log.ts';
import { openPostgresLog, type PostgresLog } from './postgres-log.ts';
import { PostgresPresence } from './postgres-presence.ts';

export interface TeamStoreOptions {
  /** The value of LOOPX_STORE. */
  readonly url: string;
  /** The workspace's folder; its name is the workspace's where nothing else is said. */
  readonly root: string;
  readonly name: string | undefined;
  readonly self: ProcessIdentity;
  readonly knowsEvent: (type: string) => boolean;
}

/** The log and the presence of a workspace in the team's database. */
export function openTeamStore(options: TeamStoreOptions): {
  readonly log: PostgresLog;
  readonly presence: PostgresPresence;
} {
  const { url, root, self, knowsEvent } = options;
  if (!/^postgres(ql)?:\/\//.test(url)) {
    throw new StoreError(
      'store-read-only',
      'LOOPX_STORE is not postgres://…; nothing was opened. Leave it out to use the workspace’s own files.',
      { field: 'LOOPX_STORE' },
    );
  }
  const workspace = (options.name ?? basename(root)).trim().toLowerCase().replace(/\s+/g, '-');
  const log = openPostgresLog({ url, workspace, knowsEvent });
  return { log, presence: new PostgresPresence(log.connection, workspace, self) };
}
