import { existsSync } from 'node:fs';
import type { Host, Scope } from './host-table.ts';
import { isOnPath } from './installed.ts';
import { type Machine, pathsOf } from './machine.ts';

/** The host's file of that scope, whether it exists or not; undefined when the host has none, or there is no project. */
export function configPath(host: Host, scope: Scope, machine: Machine): string | undefined {
  const paths = configPaths(host, scope, machine);
  return paths.find((path) => existsSync(path)) ?? paths[0];
}

/** Every name that the host's file of that scope may have. */
export function configPaths(host: Host, scope: Scope, machine: Machine): readonly string[] {
  const { join } = pathsOf(machine);
  const folder = scope === 'project' ? machine.project : userFolder(host, machine);
  const names = scope === 'project' ? host.project : host.user?.files;
  return folder === undefined || names === undefined ? [] : names.map((name) => join(folder, name));
}

/** The folders that may be written in: the home, the project, and where a variable of the host leads. */
export function allowedFolders(host: Host, machine: Machine): readonly string[] {
  const moved = movedFolder(host, machine);
  return [machine.home, machine.project, moved].filter((folder) => folder !== undefined);
}

/** Whether the host is on this machine or has left its folder in this project. Reads only. */
export function isPresent(host: Host, machine: Machine): boolean {
  const { dirname } = pathsOf(machine);
  if (host.commands.some((command) => isOnPath(machine, command, existsSync))) return true;
  return (['project', 'user'] as const).some((scope) => {
    const path = configPath(host, scope, machine);
    if (path === undefined) return false;
    const isOwnFolder = ![machine.home, machine.project].includes(dirname(path));
    return existsSync(path) || (isOwnFolder && existsSync(dirname(path)));
  });
}

function userFolder(host: Host, machine: Machine): string | undefined {
  const moved = movedFolder(host, machine);
  if (moved !== undefined || host.user === undefined) return moved;
  const { join } = pathsOf(machine);
  const { linux, darwin, win32 } = host.user.folder;
  const folder = { darwin, win32 }[machine.platform as string] ?? linux;
  const roaming = machine.env.APPDATA ?? join(machine.home, 'AppData', 'Roaming');
  return join(folder.replace(/^~/, () => machine.home).replace('%APPDATA%', () => roaming));
}

function movedFolder(host: Host, machine: Machine): string | undefined {
  const variable = host.user?.folder.variable;
  const moved = variable === undefined ? undefined : machine.env[variable];
  return moved !== undefined && pathsOf(machine).isAbsolute(moved) ? moved : undefined;
}
