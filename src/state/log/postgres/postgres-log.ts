import { nanoid } from 'nanoid';
import type pg from 'pg';
import { encodeLine, formatVersion, hashLine } from '../codec.ts';
import {
  type AppendResult,
  type Commit,
  type CommitDraft,
  type CommitLog,
  StoreError,
  type StoreHealth,
} from '../commit-log.ts';
import { logLimits } from '../limits.ts';
import { tooLarge } from '../memory-log.ts';
import { Connection, isBroken } from './connection.ts';
import { listen } from './listen.ts';
import { migrate, refuseNewer, schemaVersion } from './migrations.ts';

export interface PostgresLogOptions {
  /** postgres://user@host/database */
  readonly url: string;
  /** Which of the database's workspaces this is, the same on every machine of the team. */
  readonly workspace: string;
  readonly knowsEvent?: (type: string) => boolean;
}

/** Commits are read in pages of so many. */
const pageSize = 5_000;
const uniqueViolation = '23505';

/**
 * The log in PostgreSQL: a table of lines with primary key (workspace, version). Appending is one INSERT of the next
 * version, and a unique violation is the conflict. The lines are those of the file store, chain and all, so that a
 * workspace can be moved from one to the other and checked by the same audit.
 */
export class PostgresLog implements CommitLog {
  readonly connection: Connection;
  readonly #options: PostgresLogOptions;
  #version = 0;
  #hash = '';
  #logId: string | undefined;
  #kept: Commit[] = [];
  #isMigrated = false;
  /** Wall clock of the database less that of this machine, ms. */
  #aheadMs = 0;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: PostgresLogOptions) {
    this.#options = options;
    this.connection = new Connection(options.url);
  }

  /** The database's clock, ms UTC, by which all machines measure leases. */
  now(): number {
    return Math.round(Date.now() + this.#aheadMs);
  }

  read(afterVersion: number): Promise<readonly Commit[]> {
    return this.#inTurn(() => this.#read(afterVersion));
  }

  append(draft: CommitDraft, expectedVersion: number): Promise<AppendResult> {
    return this.#inTurn(() => this.#append(draft, expectedVersion));
  }

  async #read(afterVersion: number): Promise<readonly Commit[]> {
    await this.#catchUp();
    const first = this.#version - this.#kept.length;
    const commits = afterVersion >= first ? this.#kept.slice(afterVersion - first) : await this.#readAll(afterVersion);
    if (this.#kept.length > logLimits.keptCommits) this.#kept = this.#kept.slice(-logLimits.keptCommits);
    return commits;
  }

  async #append(draft: CommitDraft, expectedVersion: number): Promise<AppendResult> {
    await this.#migrateOnce();
    if (this.#version < expectedVersion) await this.#catchUp();
    if (this.#version !== expectedVersion) return { conflict: this.#version };
    const { id, at, by, command, events } = draft;
    const log = expectedVersion === 0 ? { log: nanoid(), features: [] } : {};
    const commit: Commit = {
      v: 1,
      version: expectedVersion + 1,
      prev: this.#hash,
      ...log,
      id,
      at,
      by,
      command,
      events,
    };
    const line = encodeLine(commit).subarray(0, -1);
    if (line.length > logLimits.commitBytesMax) throw tooLarge(line.length);
    const isIn = await this.connection.run((client) => this.#insert(client, commit, line.toString()));
    await this.#catchUp();
    if (!isIn) return { conflict: this.#version };
    return { appended: this.#kept[this.#kept.length - 1 - (this.#version - commit.version)] as Commit };
  }

  async sync(): Promise<void> {
    // What the server has shown it has also made durable: synchronous_commit is on for every writer.
  }

  watch(onChange: () => void): () => void {
    return listen(this.#options.url, this.#options.workspace, onChange);
  }

  async health(): Promise<StoreHealth> {
    const health = { store: 'postgres', where: this.connection.where } as const;
    let problem: StoreHealth['problem'];
    try {
      await this.#inTurn(() => this.#catchUp());
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      problem = { code: error.code, message: error.message };
    }
    const log = this.#logId === undefined ? {} : { log: this.#logId };
    return { ...health, version: this.#version, ...log, ...(problem && { problem }) };
  }

  async close(): Promise<void> {
    await this.connection.close();
  }

  /** Repeating it is safe: a commit whose answer was lost is found again by its id. */
  async #insert(client: pg.PoolClient, commit: Commit, line: string): Promise<boolean> {
    const { workspace } = this.#options;
    try {
      const { rows } = await client.query({
        name: 'loopx-append',
        text: `with added as (
                 insert into loopx_commit (workspace, version, id, line)
                 select $1, $2::bigint, $3, $4
                 where $2::bigint = 1 or exists (select 1 from loopx_commit where workspace = $1 and version = $2::bigint - 1)
                 returning version)
               select pg_notify('loopx_commit', $1 || ' ' || version) from added`,
        values: [workspace, commit.version, commit.id, line],
      });
      return rows.length === 1;
    } catch (error) {
      if ((error as { code?: string }).code !== uniqueViolation) throw isBroken(error) ? error : this.#failed(error);
      const { rows } = await client.query('select 1 from loopx_commit where workspace = $1 and id = $2', [
        workspace,
        commit.id,
      ]);
      return rows.length === 1;
    }
  }

  async #migrateOnce(): Promise<void> {
    if (this.#isMigrated) return;
    await this.connection.run(migrate);
    this.#isMigrated = true;
  }

  async #catchUp(): Promise<void> {
    await this.connection.run(async (client) => {
      if (!this.#isMigrated) {
        const schema = await schemaVersion(client);
        refuseNewer(schema);
        if (schema === 0) return;
        await migrate(client);
        this.#isMigrated = true;
      }
      for (;;) {
        const { rows } = await client.query({
          name: 'loopx-read',
          text: `select line, extract(epoch from clock_timestamp()) * 1000 as now from loopx_commit
                 where workspace = $1 and version > $2 order by version limit ${pageSize}`,
          values: [this.#options.workspace, this.#version],
        });
        for (const { line } of rows) this.#take(line as string);
        if (rows.length < pageSize) break;
      }
      await this.#setClock(client);
    });
  }

  async #setClock(client: pg.PoolClient): Promise<void> {
    const asked = Date.now();
    const { rows } = await client.query({
      name: 'loopx-now',
      text: 'select extract(epoch from clock_timestamp()) * 1000 as now',
    });
    this.#aheadMs = Number(rows[0].now) - (asked + Date.now()) / 2;
  }

  #take(line: string): void {
    const commit = JSON.parse(line) as Commit;
    if (commit.version !== this.#version + 1 || commit.prev !== this.#hash) {
      throw new StoreError(
        'store-damaged',
        `The log in ${this.connection.where} is damaged: version ${commit.version} does not follow the last good version ${this.#version}. Nothing is written over it.`,
        { where: this.connection.where, lastGoodVersion: this.#version, version: commit.version },
      );
    }
    const stranger = commit.events.find((event) => this.#options.knowsEvent?.(event.type) === false);
    if (commit.v !== formatVersion || stranger) {
      const what = stranger ? `event ${stranger.type}` : `format ${String(commit.v)}`;
      throw new StoreError(
        'newer-format',
        `The log holds ${what}, written by a newer loopx; this one writes nothing. Update loopx-mcp.`,
        { lastGoodVersion: this.#version },
      );
    }
    if (commit.version === 1) this.#logId = commit.log;
    this.#version = commit.version;
    this.#hash = hashLine(Buffer.from(line));
    this.#kept.push(commit);
  }

  async #readAll(afterVersion: number): Promise<readonly Commit[]> {
    return this.connection.run(async (client) => {
      const { rows } = await client.query(
        'select line from loopx_commit where workspace = $1 and version > $2 and version <= $3 order by version',
        [this.#options.workspace, afterVersion, this.#version],
      );
      return rows.map(({ line }) => JSON.parse(line as string) as Commit);
    });
  }

  /** One call at a time follows the log, so that no line is taken twice. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const run = this.#turn.then(work, work);
    this.#turn = run.catch(() => undefined);
    return run;
  }

  #failed(error: unknown): StoreError {
    return new StoreError(
      'store-read-only',
      `${this.connection.where} refused the commit (${(error as Error).message}); nothing was written.`,
      { where: this.connection.where },
      error,
    );
  }
}

/** Opens the log of one workspace in a database. Nothing is written by opening it. */
export function openPostgresLog(options: PostgresLogOptions): PostgresLog {
  return new PostgresLog(options);
}
