import { readFileSync, realpathSync } from 'node:fs';
import { type Machine, pathsOf } from './machine.ts';
import type { Installed } from './start-command.ts';

/** Folders that come and go with a run of npx or belong to one project. */
const passing = /[\\/](_npx|node_modules[\\/]\.bin)([\\/]|$)/;

/**
 * The first `loopx` on PATH, if it is this package in this very version and stays there when the run is over. Reads
 * only; what cannot be read is not installed.
 */
export function findInstalled(machine: Machine, version: string): Installed | undefined {
  for (const folder of foldersOnPath(machine)) {
    if (passing.test(folder)) continue;
    const found = look(machine, folder);
    if (found !== undefined) return found.version === version ? found.installed : undefined;
  }
  return undefined;
}

/** Whether a command of that name lies on PATH. */
export function isOnPath(machine: Machine, name: string, exists: (path: string) => boolean): boolean {
  const { join } = pathsOf(machine);
  const endings = machine.platform === 'win32' ? ['.exe', '.cmd'] : [''];
  return foldersOnPath(machine).some((folder) => endings.some((ending) => exists(join(folder, `${name}${ending}`))));
}

function foldersOnPath(machine: Machine): readonly string[] {
  const paths = pathsOf(machine);
  const path = machine.env.PATH ?? machine.env.Path ?? '';
  return path.split(paths.delimiter).filter((folder) => paths.isAbsolute(folder));
}

function look(machine: Machine, folder: string): { installed: Installed; version: string } | undefined {
  const { join } = pathsOf(machine);
  const isWindows = machine.platform === 'win32';
  const command = join(folder, isWindows ? 'loopx.cmd' : 'loopx');
  try {
    const real = realpathSync(command);
    // On Windows npm writes a command file beside the folder of the package; elsewhere a link into it.
    const script = isWindows ? join(folder, 'node_modules', 'loopx-mcp', 'dist', 'main.js') : real;
    const manifest: unknown = JSON.parse(readFileSync(join(script, '..', '..', 'package.json'), 'utf8'));
    const { name, version } = manifest as { name?: unknown; version?: unknown };
    if (name !== 'loopx-mcp' || typeof version !== 'string') return undefined;
    return { installed: { command, script }, version };
  } catch {
    return undefined;
  }
}
