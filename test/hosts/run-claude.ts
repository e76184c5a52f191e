import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cleanEnv, type HostRun, type HostRunOptions, type Launch, runHost } from './host-run.ts';
import type { HostName } from './host-versions.ts';
import { installHost } from './install-hosts.ts';
import { serverKey } from './wire.ts';

export type ClaudeOptions = HostRunOptions & {
  /** `claude` is the newest native binary, `claude-npm` what npm resolves on Node 20. */
  build?: Extract<HostName, 'claude' | 'claude-npm'>;
  /** Own tools of the host that the script may use, `Bash` for example; those of the server always may. */
  allowedTools?: string[];
  /**
   * Whether the model gets the server's tools at once (the default). Else the newest build hides them behind its
   * own search tool, and the script has to begin with a raw step `ToolSearch`.
   */
  isAlwaysLoaded?: boolean;
};

const dummyKey = 'sk-ant-api03-scripted-0000000000000000';

/** Runs `claude -p` once against the scripted model. */
export async function runClaude(options: ClaudeOptions): Promise<HostRun> {
  return runHost(options, async (homeDir, modelUrl) => {
    const launch = await claudeLaunch(options, homeDir, modelUrl);
    const headless = ['-p', options.prompt ?? 'Follow the script.', '--output-format', 'stream-json', '--verbose'];
    return { ...launch, args: [...headless, ...launch.args] };
  });
}

/** Claude Code as a person starts it: the terminal interface, past its first questions. */
export async function claudeLaunch(options: ClaudeOptions, homeDir: string, modelUrl: string): Promise<Launch> {
  const host = await installHost(options.build ?? 'claude');
  const mcpFile = join(homeDir, 'mcp.json');
  await writeFile(mcpFile, JSON.stringify({ mcpServers: { [serverKey]: mcpEntry(options) } }));
  await answerFirstQuestions(homeDir, options.projectDir);
  const allowed = [`mcp__${serverKey}`, ...(options.allowedTools ?? [])].join(',');
  const args = ['--mcp-config', mcpFile, '--strict-mcp-config', '--allowedTools', allowed];
  const env = {
    ...cleanEnv(homeDir, modelUrl),
    // Without it the host refuses some permission modes to root.
    IS_SANDBOX: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: dummyKey,
    ...options.env,
  };
  return {
    command: host.command,
    args: [...host.args, ...args, ...(options.hostArgs ?? [])],
    env,
    cwd: options.projectDir,
  };
}

function mcpEntry({ server, isAlwaysLoaded }: ClaudeOptions): object {
  const { command, args, env } = server;
  return { type: 'stdio', command, args, env: env ?? {}, alwaysLoad: isAlwaysLoaded ?? true };
}

async function answerFirstQuestions(homeDir: string, projectDir: string): Promise<void> {
  const answers = {
    hasCompletedOnboarding: true,
    theme: 'dark',
    customApiKeyResponses: { approved: [dummyKey.slice(-20)], rejected: [] },
    projects: { [projectDir]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
  };
  await mkdir(join(homeDir, '.claude'), { recursive: true });
  // A kept home has its own file by now, with what the host wrote into it.
  await writeFile(join(homeDir, '.claude.json'), JSON.stringify(answers), { flag: 'wx' }).catch(ignoreExisting);
}

function ignoreExisting(cause: NodeJS.ErrnoException): void {
  if (cause.code !== 'EEXIST') throw cause;
}
