import { hookCommand } from '../hosts/hook-setups.ts';
import { claudeCodeServer } from '../hosts/host-setups.ts';
import { version } from '../version.ts';
import { skillText } from './skill-text.ts';

const about =
  'Goals, claims, gates only a human opens, evidence and quota for coding agents, with hooks that enforce them.';

/** The plugin that Claude Code installs and Codex loads as well: server, hooks, skill; by path under hosts/. */
export function pluginFiles(): ReadonlyMap<string, string> {
  const files = {
    '.claude-plugin/plugin.json': json({
      name: 'loopx',
      version,
      description: about,
      author: { name: 'LoopX maintainers' },
      license: 'MIT',
      keywords: ['mcp', 'agents', 'control-plane', 'gates', 'long-running'],
    }),
    // Codex expands no variable of the plugin here, so the server comes from npm and not from the plugin's folder.
    '.mcp.json': json({ mcpServers: { loopx: claudeCodeServer } }),
    'hooks/hooks.json': json({ hooks: claudeHooks() }),
    'skills/loopx-governed-turn/SKILL.md': skillText(),
  };
  return new Map(Object.entries(files).map(([name, text]) => [`claude-code/plugin/${name}`, text]));
}

/** The marketplace that this repository is; it stands at its root. */
export function marketplaceFile(): string {
  return json({
    name: 'loopx',
    description: 'LoopX, a durable control plane for coding agents',
    owner: { name: 'LoopX maintainers' },
    plugins: [{ name: 'loopx', source: './hosts/claude-code/plugin', description: about, version }],
  });
}

/** Hook files for a project, for hosts that take no plugin or where none is wanted; by path under hosts/. */
export function hookFiles(): ReadonlyMap<string, string> {
  return new Map([
    ['codex/hooks.json', json({ hooks: claudeHooks('codex') })],
    ['cursor/hooks.json', json({ version: 1, hooks: cursorHooks() })],
  ]);
}

const writingTools = 'Write|Edit|MultiEdit|NotebookEdit|apply_patch|Bash|PowerShell';

function claudeHooks(host?: 'codex') {
  const entry = (event: Parameters<typeof hookCommand>[0], timeoutS: number, matcher?: string) => [
    {
      ...(matcher !== undefined && { matcher }),
      hooks: [{ type: 'command', command: hookCommand(event, host), timeout: timeoutS }],
    },
  ];
  return {
    SessionStart: entry('SessionStart', 30),
    PreToolUse: entry('PreToolUse', 30, writingTools),
    Stop: entry('Stop', 30),
    PreCompact: entry('PreCompact', 30),
    SessionEnd: entry('SessionEnd', 10),
  };
}

/** Cursor says no to a shell command in a hook of its own; what it calls its file tools is its documentation's word. */
function cursorHooks() {
  const command = (event: Parameters<typeof hookCommand>[0]) => hookCommand(event, 'cursor');
  return {
    sessionStart: [{ command: command('SessionStart'), timeout: 30 }],
    preToolUse: [{ command: command('PreToolUse'), matcher: 'Write|Edit|MultiEdit|NotebookEdit|Delete', timeout: 30 }],
    beforeShellExecution: [{ command: command('PreToolUse'), timeout: 30 }],
    stop: [{ command: command('Stop'), timeout: 30 }],
  };
}

function json(value: object): string {
  const text = JSON.stringify(value, null, 2);
  return `${text.replace(/\[\s+([^\]{}]*?)\s+\]/g, (_, words: string) => `[${words.replace(/,\s+/g, ', ')}]`)}\n`;
}
