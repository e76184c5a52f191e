import pg from 'pg';
import { StoreError } from '../commit-log.ts';

/** A query that takes longer has met a dead connection or a stuck server. */
const queryMsMax = 5_000;
const connectMsMax = 5_000;
/** How long a server that restarts is waited for. */
const patienceMs = 10_000;

export const clientOptions = (url: string): pg.ClientConfig => ({
  connectionString: url,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  connectionTimeoutMillis: connectMsMax,
  query_timeout: queryMsMax,
  // Whatever the server's default is: an acknowledged commit is on its disk.
  options: '-c synchronous_commit=on -c application_name=loopx',
});

/** Connections to one database. A broken one is thrown away, and what is safe to repeat is repeated on another. */
export class Connection {
  readonly #pool: pg.Pool;
  readonly where: string;

  constructor(url: string) {
    this.#pool = new pg.Pool({ ...clientOptions(url), max: 4, idleTimeoutMillis: 30_000, allowExitOnIdle: true });
    // An idle client that loses its server is replaced by the pool; the next query says if there is none to be had.
    this.#pool.on('error', () => {});
    // One in use tells its query, and must not end the process besides.
    this.#pool.on('connect', (client) => client.on('error', () => {}));
    this.where = described(url);
  }

  /** Runs `work` on a client; repeats it on a new one while the connection fails, so it must be safe to repeat. */
  async run<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    for (let tries = 0; ; tries++) {
      let client: pg.PoolClient | undefined;
      try {
        client = await this.#pool.connect();
        const result = await work(client);
        client.release();
        return result;
      } catch (error) {
        client?.release(true);
        if (!isBroken(error)) throw error;
        if (performance.now() - startedAt > patienceMs) throw unreachable(this.where, error);
        await new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(1_000, 50 * 2 ** tries)));
      }
    }
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}

/** The server's address without user and password. */
function described(url: string): string {
  try {
    const { host, pathname } = new URL(url);
    return `postgres://${host}${pathname}`;
  } catch {
    return 'postgres';
  }
}

/** Trouble of the connection and not of the statement: nothing is known of what the statement did. */
export function isBroken(error: unknown): boolean {
  if (error instanceof StoreError) return false;
  const { code, message } = error as { readonly code?: string; readonly message?: string };
  if (code === undefined) return /timeout|terminated|not queryable|Connection/i.test(message ?? '');
  // Classes 08 (connection) and 57P (shutdown), and the operating system's words.
  return /^(08|57P)/.test(code) || /^E[A-Z]+$/.test(code);
}

function unreachable(where: string, cause: unknown): StoreError {
  return new StoreError(
    'store-read-only',
    `${where} cannot be reached (${(cause as Error).message}); nothing was written. Try again when it is back.`,
    { where },
    cause,
  );
}
