import { type Host, hosts, type Scope } from './host-table.ts';
import { allowedFolders, configPath, configPaths, isPresent } from './locate.ts';
import type { Machine } from './machine.ts';
import type { Target } from './plan.ts';

export interface Choice {
  /** Names of hosts; none for all that are here. */
  readonly names: readonly string[];
  readonly scope: Scope | undefined;
}

/** A named host that keeps no file of the wanted scope, or has none here. */
export interface NoFile {
  readonly host: Host;
  readonly scope: Scope;
}

/** The names that are in no table. */
export function unknownNames(names: readonly string[]): readonly string[] {
  return names.filter((name) => hosts.every((host) => host.name !== name));
}

/** One file for each host that is named, or else for each that is found on the machine or in the project. */
export function connectTargets({ names, scope }: Choice, machine: Machine): { targets: Target[]; without: NoFile[] } {
  const chosen = hosts.filter((host) => (names.length === 0 ? isPresent(host, machine) : names.includes(host.name)));
  const targets: Target[] = [];
  const without: NoFile[] = [];
  for (const host of chosen) {
    const wanted = scope ?? (machine.project === undefined ? 'user' : host.scope);
    const path = configPath(host, wanted, machine);
    if (path !== undefined) targets.push({ host, scope: wanted, path, allowed: allowedFolders(host, machine) });
    else if (names.length > 0) without.push({ host, scope: wanted });
  }
  return { targets, without };
}

/** Every file that could hold the server, of every host unless some are named. */
export function disconnectTargets({ names, scope }: Choice, machine: Machine): Target[] {
  return hosts
    .filter((host) => names.length === 0 || names.includes(host.name))
    .flatMap((host) => {
      const scopes: readonly Scope[] = scope === undefined ? ['project', 'user'] : [scope];
      return scopes.flatMap((each) => {
        const allowed = allowedFolders(host, machine);
        return configPaths(host, each, machine).map((path) => ({ host, scope: each, path, allowed }));
      });
    });
}
