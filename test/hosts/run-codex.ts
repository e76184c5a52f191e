import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cleanEnv, type HostRun, type HostRunOptions, type Launch, runHost, type ServerCommand } from './host-run.ts';
import { installHost } from './install-hosts.ts';
import { serverKey } from './wire.ts';

export type CodexOptions = HostRunOptions & {
  /** The model's name decides which tools Codex offers and whether it defers those of servers. */
  model?: string;
  approvalPolicy?: 'never' | 'on-request' | 'untrusted';
  /** Whether the terminal interface works through a daemon that outlives it, as Codex does unless told otherwise. */
  hasDaemon?: boolean;
  /** Whether a turn waits for the server (the default here); Codex alone begins without one that is slow. */
  isRequired?: boolean;
  sandbox?: 'read-only' | 'workspace-write' | 'danger-full-access';
};

/** Runs `codex exec` once against the scripted model. */
export async function runCodex(options: CodexOptions): Promise<HostRun> {
  return runHost(options, async (homeDir, modelUrl) => {
    const launch = await codexLaunch(options, homeDir, modelUrl, ['exec', '--skip-git-repo-check', '--json']);
    return { ...launch, args: [...launch.args, options.prompt ?? 'Follow the script.'] };
  });
}

/** Codex as a person starts it, in a trusted project: the terminal interface, unless a subcommand is given. */
export async function codexLaunch(
  options: CodexOptions,
  homeDir: string,
  modelUrl: string,
  subcommand: readonly string[] = [],
): Promise<Launch> {
  const host = await installHost('codex');
  await mkdir(join(homeDir, '.codex'), { recursive: true });
  await writeFile(join(homeDir, '.codex', 'config.toml'), configToml(options, modelUrl));
  const env = { ...cleanEnv(homeDir, modelUrl), MOCK_KEY: 'dummy', ...options.env };
  const args = [...host.args, ...subcommand, ...(options.hostArgs ?? [])];
  return { command: host.command, args, env, cwd: options.projectDir };
}

function configToml(options: CodexOptions, modelUrl: string): string {
  const { projectDir, server, model = 'scripted', approvalPolicy = 'never', sandbox = 'workspace-write' } = options;
  return `model = ${toml(model)}
model_provider = "mock"
approval_policy = ${toml(approvalPolicy)}
sandbox_mode = ${toml(sandbox)}
check_for_update_on_startup = false

[features]
daemon_auto_start = ${options.hasDaemon === true}
in_app_updates = false
plugins = false

[analytics]
enabled = false

[model_providers.mock]
name = "mock"
base_url = ${toml(`${modelUrl}/v1`)}
wire_api = "responses"
env_key = "MOCK_KEY"
request_max_retries = 0
stream_max_retries = 0

[projects.${toml(projectDir)}]
trust_level = "trusted"

${serverToml(server, options.isRequired ?? true)}`;
}

function serverToml({ command, args, env }: ServerCommand, isRequired: boolean): string {
  const pairs = Object.entries(env ?? {}).map(([name, value]) => `${toml(name)} = ${toml(value)}`);
  return `[mcp_servers.${serverKey}]
command = ${toml(command)}
args = [${args.map(toml).join(', ')}]
env = { ${pairs.join(', ')} }
startup_timeout_sec = 20
required = ${isRequired}
`;
}

// A JSON string is a TOML basic string.
function toml(text: string): string {
  return JSON.stringify(text);
}
