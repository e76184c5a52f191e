import type { Scope } from './host-table.ts';
import type { Machine } from './machine.ts';
import { pathsOf } from './machine.ts';

/** What a host runs; every form names or is one exact version. */
export interface StartCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: { readonly [name: string]: string };
}

/** A loopx of the wanted version that stays where it is. */
export interface Installed {
  /** The command on PATH: a link, or `loopx.cmd` on Windows. */
  readonly command: string;
  /** The script that it runs. */
  readonly script: string;
}

export interface StartQuestion {
  readonly machine: Machine;
  readonly scope: Scope;
  readonly version: string;
  readonly isFarFromProject: boolean;
  readonly installed: Installed | undefined;
  /** The Node that runs now, absolute. */
  readonly node: string;
}

/**
 * How a host starts the server. A project's file is for everybody who has the project, so it holds `npx` with the
 * version. A person's own file holds the installed command where there is one of this version: it starts in a fraction
 * of the time of npx, which Codex and Claude Code wait for, and needs no network.
 */
export function startCommand(question: StartQuestion): StartCommand {
  const { machine, scope, version, isFarFromProject, node } = question;
  const installed = scope === 'user' ? question.installed : undefined;
  const workspace = isFarFromProject && machine.project !== undefined ? ['--workspace', machine.project] : [];
  if (machine.platform === 'win32') {
    // Hosts start programs without a shell, and there npx and loopx are command files.
    const words = installed === undefined ? ['npx', '-y', `loopx-mcp@${version}`] : [installed.command];
    return { command: 'cmd', args: ['/c', ...words, ...workspace] };
  }
  if (!isFarFromProject) {
    return installed === undefined
      ? { command: 'npx', args: ['-y', `loopx-mcp@${version}`] }
      : { command: installed.command, args: [] };
  }
  if (installed !== undefined) return { command: node, args: [installed.script, ...workspace] };
  // An app started from the desktop has a short PATH, and npx needs to find its Node there.
  const paths = pathsOf(machine);
  const nodeFolder = paths.dirname(node);
  return {
    command: paths.join(nodeFolder, 'npx'),
    args: ['-y', `loopx-mcp@${version}`, ...workspace],
    env: { PATH: [...new Set([nodeFolder, '/usr/local/bin', '/usr/bin', '/bin'])].join(':') },
  };
}
