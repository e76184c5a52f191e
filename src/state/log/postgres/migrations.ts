import type { ClientBase } from 'pg';
import { StoreError } from '../commit-log.ts';

/** Numbered from 1; one that has been released is never changed. */
const migrations: readonly string[] = [
  `create table loopx_commit (
     workspace text not null,
     version bigint not null check (version > 0),
     id text not null,
     line text not null,
     primary key (workspace, version),
     unique (workspace, id)
   );
   create table loopx_presence (
     workspace text not null,
     session text not null,
     record jsonb not null,
     seen_at timestamptz not null default clock_timestamp(),
     primary key (workspace, session)
   )`,
];

/** Any number, the same for all: who migrates holds this advisory lock. */
const lockKey = 4_710_815;

/** The database's schema version; 0 where it has none of our tables. */
export async function schemaVersion(client: Pick<ClientBase, 'query'>): Promise<number> {
  const there = await client.query(`select to_regclass('loopx_migration') is not null as there`);
  if (!there.rows[0]?.there) return 0;
  const { rows } = await client.query('select coalesce(max(version), 0)::int as version from loopx_migration');
  return rows[0].version as number;
}

/** Brings the database to this code's schema, one process at a time; a database that is newer is left alone. */
export async function migrate(client: Pick<ClientBase, 'query'>): Promise<void> {
  const before = await schemaVersion(client);
  refuseNewer(before);
  if (before === migrations.length) return;
  await client.query('begin');
  try {
    await client.query('select pg_advisory_xact_lock($1)', [lockKey]);
    await client.query(
      'create table if not exists loopx_migration (version int primary key, at timestamptz not null default now())',
    );
    const from = await schemaVersion(client);
    for (const [at, sql] of migrations.entries()) {
      if (at < from) continue;
      await client.query(sql);
      await client.query('insert into loopx_migration (version) values ($1)', [at + 1]);
    }
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

export function refuseNewer(version: number): void {
  if (version <= migrations.length) return;
  throw new StoreError(
    'newer-format',
    `The database has schema ${version}, written by a newer loopx; this one knows ${migrations.length} and writes nothing. Update loopx-mcp.`,
    { schema: version, known: migrations.length },
  );
}
