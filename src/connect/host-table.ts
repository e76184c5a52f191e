import { callMsMax } from '../hosts/host-setups.ts';
import type { StartCommand } from './start-command.ts';

/** A folder as the hosts' manuals write it: `~` is the home folder, `%APPDATA%` that of Windows. */
interface UserFolder {
  /** The variable with which a person moves the folder, if the host has one. */
  readonly variable?: string;
  readonly linux: string;
  readonly darwin: string;
  readonly win32: string;
}

export type Entry = { readonly [key: string]: unknown };
export type Scope = 'project' | 'user';

/** What is known of one host's configuration; sources: its documentation and the tests with the real hosts. */
export interface Host {
  readonly name: string;
  readonly title: string;
  readonly format: 'json' | 'toml';
  /** The table of servers inside the file. */
  readonly servers: string;
  /** Names inside the project, the first that exists is taken, else the first. None: the host reads no such file. */
  readonly project?: readonly string[];
  readonly user?: { readonly folder: UserFolder; readonly files: readonly string[] };
  /** Where `loopx connect` writes unless it is told. */
  readonly scope: Scope;
  /** Folders of a person's machine, besides that of `user`, or commands on PATH, that show that the host is there. */
  readonly commands: readonly string[];
  readonly entry: (start: StartCommand) => Entry;
  /** Keys of the entry that connect keeps as it wants them; the others are only set where they are missing. */
  readonly ownKeys: readonly string[];
  /** Whether the host starts the server nowhere near the project, with little in its environment. */
  readonly isFarFromProject?: boolean;
  /** How a person sees that it works, as a sentence. */
  readonly check: string;
  /** What else has to be so, by the scope of the file. */
  readonly notes?: { readonly [scope in Scope]?: string };
}

const everywhere = (folder: string): UserFolder => ({ linux: folder, darwin: folder, win32: folder });
const plain = ({ command, args, env }: StartCommand): Entry => ({
  command,
  args,
  ...(env === undefined ? {} : { env }),
});
const typed = (start: StartCommand): Entry => ({ type: 'stdio', ...plain(start) });

export const hosts: readonly Host[] = [
  {
    name: 'claude-code',
    title: 'Claude Code',
    format: 'json',
    servers: 'mcpServers',
    project: ['.mcp.json'],
    user: { folder: { ...everywhere('~'), variable: 'CLAUDE_CONFIG_DIR' }, files: ['.claude.json'] },
    scope: 'project',
    commands: ['claude'],
    // Without it the newest builds keep the tools behind a search, and a turn can pass without having seen them.
    entry: (start) => ({ ...typed(start), timeout: callMsMax, alwaysLoad: true }),
    ownKeys: ['type', 'command', 'args'],
    check: 'Run `claude mcp list`, or type /mcp in a session; Claude Code asks once to approve a project file.',
  },
  {
    name: 'codex',
    title: 'Codex',
    format: 'toml',
    servers: 'mcp_servers',
    project: ['.codex/config.toml'],
    user: { folder: { ...everywhere('~/.codex'), variable: 'CODEX_HOME' }, files: ['config.toml'] },
    scope: 'user',
    commands: ['codex'],
    // Codex leaves a server that is a second late out of the turn and says nothing: the agent would work ungoverned.
    // `required` makes it wait, and fail aloud. The grace for late servers is a key for all of them, so not ours to set.
    entry: (start) => ({
      ...plain(start),
      required: true,
      startup_timeout_sec: 60,
      tool_timeout_sec: callMsMax / 1_000,
    }),
    ownKeys: ['command', 'args'],
    check: 'Run `codex mcp list` (it reads the file only), then type /mcp in a session.',
    notes: { project: 'Codex reads this file only once the project is trusted.' },
  },
  {
    name: 'cursor',
    title: 'Cursor',
    format: 'json',
    servers: 'mcpServers',
    project: ['.cursor/mcp.json'],
    user: { folder: everywhere('~/.cursor'), files: ['mcp.json'] },
    scope: 'project',
    commands: ['cursor', 'cursor-agent'],
    entry: typed,
    ownKeys: ['type', 'command', 'args'],
    check: 'Open Settings, Tools & MCP: loopx has a green dot; switch it on if it is off.',
  },
  {
    name: 'vscode',
    title: 'VS Code',
    format: 'json',
    servers: 'servers',
    project: ['.vscode/mcp.json'],
    user: {
      folder: {
        linux: '~/.config/Code/User',
        darwin: '~/Library/Application Support/Code/User',
        win32: '%APPDATA%/Code/User',
      },
      files: ['mcp.json'],
    },
    scope: 'project',
    commands: ['code'],
    entry: typed,
    ownKeys: ['type', 'command', 'args'],
    check: 'Run the command "MCP: List Servers"; start loopx there and trust it once.',
  },
  {
    name: 'opencode',
    title: 'OpenCode',
    format: 'json',
    servers: 'mcp',
    project: ['opencode.json', 'opencode.jsonc'],
    user: { folder: everywhere('~/.config/opencode'), files: ['opencode.json', 'opencode.jsonc', 'config.json'] },
    scope: 'project',
    commands: ['opencode'],
    entry: ({ command, args }) => ({ type: 'local', command: [command, ...args], enabled: true }),
    ownKeys: ['type', 'command'],
    check: 'Run `opencode mcp list`: loopx is connected.',
  },
  {
    name: 'gemini',
    title: 'Gemini CLI',
    format: 'json',
    servers: 'mcpServers',
    project: ['.gemini/settings.json'],
    user: { folder: everywhere('~/.gemini'), files: ['settings.json'] },
    scope: 'project',
    commands: ['gemini'],
    entry: plain,
    ownKeys: ['command', 'args'],
    check: 'Run `gemini mcp list`: loopx is connected, in a folder that Gemini CLI trusts.',
    notes: {
      project: 'A list `mcp.allowed` in the settings has to name loopx; connect does not change it.',
      user: 'A list `mcp.allowed` in the settings has to name loopx; connect does not change it.',
    },
  },
  {
    name: 'windsurf',
    title: 'Windsurf',
    format: 'json',
    servers: 'mcpServers',
    user: { folder: everywhere('~/.codeium/windsurf'), files: ['mcp_config.json'] },
    scope: 'user',
    commands: ['windsurf'],
    entry: plain,
    ownKeys: ['command', 'args'],
    isFarFromProject: true,
    check: 'Open the MCP panel of Cascade and refresh: loopx is listed.',
  },
  {
    name: 'zed',
    title: 'Zed',
    format: 'json',
    servers: 'context_servers',
    user: {
      folder: { linux: '~/.config/zed', darwin: '~/.config/zed', win32: '%APPDATA%/Zed' },
      files: ['settings.json'],
    },
    scope: 'user',
    commands: ['zed', 'zeditor'],
    entry: (start) => ({ source: 'custom', ...plain({ env: {}, ...start }) }),
    ownKeys: ['source', 'command', 'args'],
    isFarFromProject: true,
    check: 'Open the settings of the agent panel: loopx has a green dot.',
  },
  {
    name: 'claude-desktop',
    title: 'Claude Desktop',
    format: 'json',
    servers: 'mcpServers',
    user: {
      folder: {
        linux: '~/.config/Claude',
        darwin: '~/Library/Application Support/Claude',
        win32: '%APPDATA%/Claude',
      },
      files: ['claude_desktop_config.json'],
    },
    scope: 'user',
    commands: [],
    entry: plain,
    ownKeys: ['command', 'args'],
    isFarFromProject: true,
    check: 'Quit Claude Desktop and start it again; Settings, Developer shows loopx running.',
  },
];

export const serverKey = 'loopx';
