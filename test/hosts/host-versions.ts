/**
 * The hosts the harness drives, pinned. Each is installed into a folder of its own, since two versions of one
 * package are wanted and since a broken download of one must not hide the others.
 * Scripts of the packages are never run: the native binaries lie ready in the platform packages.
 */
export type HostName = 'claude' | 'claude-npm' | 'codex' | 'opencode' | 'gemini';

export type HostPackage = {
  name: string;
  version: string;
  /** The program inside the installed folder. */
  program: string;
  /** Whether the program is a script for Node rather than a native binary. */
  isNodeScript: boolean;
};

const platform = `${process.platform}-${process.arch}`;

export const hostPackages: Record<HostName, HostPackage> = {
  // The newest Claude Code; its npm wrapper wants Node 22, the platform package runs beside any Node.
  claude: {
    name: `@anthropic-ai/claude-code-${platform}`,
    version: '2.1.332',
    program: `node_modules/@anthropic-ai/claude-code-${platform}/claude`,
    isNodeScript: false,
  },
  // What npm resolves for people on Node 20.
  'claude-npm': {
    name: '@anthropic-ai/claude-code',
    version: '2.1.197',
    program: `node_modules/@anthropic-ai/claude-code-${platform}/claude`,
    isNodeScript: false,
  },
  codex: {
    name: '@openai/codex',
    version: '0.171.0',
    program: 'node_modules/@openai/codex/bin/codex.js',
    isNodeScript: true,
  },
  opencode: {
    name: 'opencode-ai',
    version: '1.18.33',
    program: `node_modules/opencode-${platform}/bin/opencode`,
    isNodeScript: false,
  },
  gemini: {
    name: '@google/gemini-cli',
    version: '0.61.0',
    program: 'node_modules/@google/gemini-cli/bundle/gemini.js',
    isNodeScript: true,
  },
};
