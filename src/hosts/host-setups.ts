import { version } from '../version.ts';

/** How one host is told of the server, checked and made to forget it. Formats are the hosts' own, as measured or documented. */
export interface HostSetup {
  readonly host: 'claude-code' | 'codex' | 'cursor';
  readonly title: string;
  /** The file in hosts/<host>/, and where the host looks for it. */
  readonly file: string;
  readonly place: string;
  /** One line for a terminal in the project. */
  readonly install: string;
  readonly check: string;
  readonly remove: string;
  /** What goes before a tool's name where the host shows it. */
  readonly toolPrefix: string;
}

/** The package at this very version, so that a server does not change under a running loop. */
export const serverCommand = { command: 'npx', args: ['-y', `loopx-mcp@${version}`] } as const;

/** Milliseconds a host may wait for an answer: a form of the owner's may stand for minutes. */
export const callMsMax = 600_000;

/** Loaded from the start, since a governed turn begins with a call that the model must know of. */
export const claudeCodeServer = { ...serverCommand, timeout: callMsMax, alwaysLoad: true } as const;

export const cursorServer = { type: 'stdio', ...serverCommand } as const;

const line = [serverCommand.command, ...serverCommand.args].join(' ');

export const hostSetups: readonly HostSetup[] = [
  {
    host: 'claude-code',
    title: 'Claude Code',
    file: 'mcp.json',
    place: '.mcp.json in the project',
    install: `claude mcp add-json --scope project loopx '${JSON.stringify(claudeCodeServer)}'`,
    check: 'claude mcp get loopx',
    remove: 'claude mcp remove --scope project loopx',
    toolPrefix: 'mcp__loopx__',
  },
  {
    host: 'codex',
    title: 'Codex',
    file: 'config.toml',
    place: '~/.codex/config.toml',
    install: `codex mcp add loopx -- ${line}`,
    check: 'codex mcp get loopx',
    remove: 'codex mcp remove loopx',
    toolPrefix: 'mcp__loopx__',
  },
  {
    host: 'cursor',
    title: 'Cursor',
    file: 'mcp.json',
    place: '.cursor/mcp.json in the project, or ~/.cursor/mcp.json',
    install: `put into .cursor/mcp.json: ${JSON.stringify({ mcpServers: { loopx: cursorServer } })}`,
    check: 'Settings > MCP shows loopx with its tools',
    remove: 'take `loopx` out of .cursor/mcp.json',
    toolPrefix: '',
  },
];
