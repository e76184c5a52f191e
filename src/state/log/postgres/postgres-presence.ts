import type { Presence } from '../../presence/presence.ts';
import { type PresenceRecord, presenceRecordSchema } from '../../presence/presence-record.ts';
import type { ProcessIdentity } from '../../presence/process-identity.ts';
import type { Connection } from './connection.ts';
import { schemaVersion } from './migrations.ts';

/** Records of sessions that were silent for so long are forgotten by whoever writes. */
const keptDays = 30;

/**
 * Presence in the team's database. Sessions of other machines can be seen to beat and to have ended, never to be dead:
 * there the ttl decides. Reads answer what the last `refresh` brought; writes go out with `flush`.
 */
export class PostgresPresence implements Presence {
  readonly self: ProcessIdentity;
  readonly #connection: Connection;
  readonly #workspace: string;
  readonly #known = new Map<string, PresenceRecord>();
  readonly #unsent = new Map<string, PresenceRecord>();

  constructor(connection: Connection, workspace: string, self: ProcessIdentity) {
    this.#connection = connection;
    this.#workspace = workspace;
    this.self = self;
  }

  write(record: PresenceRecord): boolean {
    this.#known.set(record.session, record);
    this.#unsent.set(record.session, record);
    // A heartbeat waits for nobody; what fails now goes out with the next one.
    void this.flush().catch(() => {});
    return true;
  }

  end(session: string, nowMs: number): boolean {
    const record = this.read(session);
    return record !== undefined && this.write({ ...record, endedAt: record.endedAt ?? nowMs });
  }

  read(session: string): PresenceRecord | undefined {
    return this.#known.get(session);
  }

  list(): readonly PresenceRecord[] {
    return [...this.#known.values()];
  }

  async refresh(): Promise<void> {
    await this.#connection.run(async (client) => {
      if ((await schemaVersion(client)) === 0) return;
      const { rows } = await client.query('select record from loopx_presence where workspace = $1', [this.#workspace]);
      for (const row of rows) {
        const record = presenceRecordSchema.safeParse(row.record).data;
        if (record && !this.#unsent.has(record.session)) this.#known.set(record.session, record);
      }
    });
  }

  async flush(): Promise<void> {
    const batch = [...this.#unsent.values()];
    if (batch.length === 0) return;
    await this.#connection.run(async (client) => {
      if ((await schemaVersion(client)) === 0) return;
      for (const record of batch) {
        await client.query(
          `insert into loopx_presence (workspace, session, record) values ($1, $2, $3)
           on conflict (workspace, session) do update set record = excluded.record, seen_at = clock_timestamp()`,
          [this.#workspace, record.session, JSON.stringify(record)],
        );
        if (this.#unsent.get(record.session) === record) this.#unsent.delete(record.session);
      }
      await client.query(
        `delete from loopx_presence where workspace = $1 and seen_at < clock_timestamp() - interval '${keptDays} days'`,
        [this.#workspace],
      );
    });
  }
}
