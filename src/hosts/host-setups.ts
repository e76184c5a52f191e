import { version } from '../version.ts';

/** How one host is told of the server; facts of the hosts as measured, see hosts/. */
export interface HostSetup {
  readonly host: 'claude-code' | 'codex' | 'cursor';
  readonly title: string;
  /** The configuration file that a project carries, and its name in hosts/. */
  readonly projectFile: string;
  readonly file: string;
  /** One line for a terminal. */
  readonly install: string;
}

/** The package at this very version, so that a host does not change under a running loop. */
export const serverCommand = { command: 'npx', args: ['-y', `loopx-mcp@${version}`] } as const;

const line = [serverCommand.command, ...serverCommand.args].join(' ');

export const hostSetups: readonly HostSetup[] = [
  {
    host: 'claude-code',
    title: 'Claude Code',
    projectFile: '.mcp.json',
    file: 'mcp.json',
    install: `claude mcp add --scope project loopx -- ${line}`,
  },
  {
    host: 'codex',
    title: 'Codex',
    projectFile: '~/.codex/config.toml',
    file: 'config.toml',
    install: `codex mcp add loopx -- ${line}`,
  },
  {
    host: 'cursor',
    title: 'Cursor',
    projectFile: '.cursor/mcp.json',
    file: 'mcp.json',
    install: 'mkdir -p .cursor && cp hosts/cursor/mcp.json .cursor/mcp.json',
  },
];
