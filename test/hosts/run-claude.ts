import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cleanEnv, type HostRun, type HostRunOptions, type Launch, runHost, type ServerCommand } from './host-run.ts';
import type { HostName } from './host-versions.ts';
import { installHost } from './install-hosts.ts';
import { serverKey } from './wire.ts';

export type ClaudeOptions = HostRunOptions & {
  /** `claude` is the newest native binary, `claude-npm` what npm resolves on Node 20. */
  build?: Extract<HostName, 'claude' | 'claude-npm'>;
  /** Own tools of the host that the script may use, `Bash` for example; those of the server always may. */
  allowedTools?: string[];
};

const dummyKey = 'sk-ant-api03-scripted-0000000000000000';

/** Runs `claude -p` once against the scripted model. */
export async function runClaude(options: ClaudeOptions): Promise<HostRun> {
  return runHost(options, async (_options, homeDir, modelUrl) => {
    const launch = await claudeLaunch(options, homeDir, modelUrl);
    const headless = ['-p', options.prompt ?? 'Follow the script.', '--output-format', 'stream-json', '--verbose'];
    return { ...launch, args: [...headless, ...launch.args] };
  });
}

/** Claude Code as a person starts it: the terminal interface, past its first questions. */
export async function claudeLaunch(options: ClaudeOptions, homeDir: string, modelUrl: string): Promise<Launch> {
  const host = await installHost(options.build ?? 'claude');
  const mcpFile = join(homeDir, 'mcp.json');
  await writeFile(mcpFile, JSON.stringify({ mcpServers: { [serverKey]: mcpEntry(options.server) } }));
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

// Tools of a server are otherwise deferred behind a search tool of the host, and a call to one fails.
function mcpEntry({ command, args, env }: ServerCommand): object {
  return { type: 'stdio', command, args, env: env ?? {}, alwaysLoad: true };
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
