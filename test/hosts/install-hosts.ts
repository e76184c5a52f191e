import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type HostName, hostPackages } from './host-versions.ts';

const run = promisify(execFile);
const installTimeoutMs = 300_000;

export class HostInstallError extends Error {
  readonly code = 'host-install-failed';
}

/** How to start an installed host: the first words of its command line. */
export type HostCommand = { command: string; args: string[]; version: string };

/**
 * Makes sure a host is installed and answers how to start it. The second call does nothing. Two processes at
 * once each install into a folder of their own; the first rename wins and the other throws its copy away.
 * Throws HostInstallError when npm cannot deliver the package.
 */
export async function installHost(host: HostName): Promise<HostCommand> {
  const wanted = hostPackages[host];
  const home = join(hostsDir(), `${host}-${wanted.version}`);
  const program = join(home, wanted.program);
  if (!existsSync(program)) await installInto(home, `${wanted.name}@${wanted.version}`, wanted.program);
  const { version } = wanted;
  return wanted.isNodeScript
    ? { command: process.execPath, args: [program], version }
    : { command: program, args: [], version };
}

/** The cache folder, outside the repository; LOOPX_HOSTS_DIR overrides it. */
function hostsDir(): string {
  return process.env.LOOPX_HOSTS_DIR ?? join(cacheDir(), 'loopx-mcp-hosts');
}

function cacheDir(): string {
  if (process.env.XDG_CACHE_HOME) return process.env.XDG_CACHE_HOME;
  return process.platform === 'darwin' ? join(homedir(), 'Library', 'Caches') : join(homedir(), '.cache');
}

async function installInto(home: string, spec: string, program: string): Promise<void> {
  await mkdir(hostsDir(), { recursive: true });
  const draft = await mkdtemp(join(hostsDir(), '.draft-'));
  try {
    await writeFile(join(draft, 'package.json'), '{"private":true}\n');
    await npmInstall(draft, spec);
    if (!existsSync(join(draft, program))) {
      throw new HostInstallError(`${spec} came without ${program}: npm skipped the package of this platform.`);
    }
    // A rename onto a folder with content fails: then another process was first, and its copy is as good.
    await rename(draft, home).catch((cause: unknown) => {
      if (!existsSync(join(home, program))) throw cause;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function npmInstall(folder: string, spec: string): Promise<void> {
  // No scripts are run: nothing here needs one, and a script could ask or reach elsewhere.
  const args = [
    'install',
    '--save-exact',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--engine-strict=false',
    spec,
  ];
  try {
    await run('npm', args, { cwd: folder, timeout: installTimeoutMs });
  } catch (cause) {
    const said =
      cause instanceof Error && 'stderr' in cause ? String(cause.stderr).trim().slice(0, 600) : String(cause);
    throw new HostInstallError(
      `npm could not install ${spec} into ${hostsDir()}. Is a registry in reach? Set LOOPX_HOSTS_DIR to a folder that has it already. npm said: ${said}`,
      { cause },
    );
  }
}
