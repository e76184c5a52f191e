import { execFile } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { mainFile } from '../e2e/loopx-client.ts';
import type { HostCommand } from './install-hosts.ts';

const run = promisify(execFile);

/** The repository, which is the marketplace of the plugin. */
export const repository = fileURLToPath(new URL('../../', import.meta.url));
export const pluginDir = join(repository, 'hosts', 'claude-code', 'plugin');

/**
 * A folder with the commands `loopx` and `npx`, both of them this build: the plugin as it is published starts its server
 * by npx and its hooks by loopx, and nothing is downloaded in a test.
 */
export async function makeCommands(folder: string): Promise<string> {
  const bin = join(folder, 'bin');
  await mkdir(bin, { recursive: true });
  const start = `exec '${process.execPath}' '${mainFile}'`;
  await writeFile(join(bin, 'loopx'), `#!/bin/sh\n${start} "$@"\n`);
  await writeFile(join(bin, 'npx'), `#!/bin/sh\nshift 2\n${start} "$@"\n`);
  for (const name of ['loopx', 'npx']) await chmod(join(bin, name), 0o755);
  return bin;
}

/** Runs a subcommand of a host in a home of its own and answers what it printed; throws when it fails. */
export async function hostSays(host: HostCommand, home: string, args: readonly string[]): Promise<string> {
  const { stdout } = await run(host.command, [...host.args, ...args], {
    cwd: repository,
    timeout: 60_000,
    env: {
      HOME: home,
      PATH: process.env.PATH ?? '',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    },
  });
  return stdout;
}
