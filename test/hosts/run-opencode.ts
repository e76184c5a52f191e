import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cleanEnv, type HostRun, type HostRunOptions, type Launch, runHost } from './host-run.ts';
import { installHost } from './install-hosts.ts';
import { serverKey } from './wire.ts';

/** Runs `opencode run` once against the scripted model. Outside a repository it reads settings of every parent folder. */
export async function runOpencode(options: HostRunOptions): Promise<HostRun> {
  return runHost(options, async (homeDir, modelUrl) => {
    const launch = await opencodeLaunch(options, homeDir, modelUrl, ['run']);
    return { ...launch, args: [...launch.args, options.prompt ?? 'Follow the script.'] };
  });
}

/** OpenCode as a person starts it: the terminal interface, unless a subcommand is given. */
export async function opencodeLaunch(
  options: HostRunOptions,
  homeDir: string,
  modelUrl: string,
  subcommand: readonly string[] = [],
): Promise<Launch> {
  const host = await installHost('opencode');
  const configDir = join(homeDir, '.config', 'opencode');
  await mkdir(configDir, { recursive: true });
  await writeFile(join(configDir, 'opencode.json'), JSON.stringify(configOf(options, modelUrl), undefined, 2));
  const env = {
    ...cleanEnv(homeDir, modelUrl),
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    ...options.env,
  };
  const args = [...host.args, ...subcommand, ...(options.hostArgs ?? [])];
  return { command: host.command, args, env, cwd: options.projectDir };
}

function configOf({ server }: HostRunOptions, modelUrl: string): object {
  return {
    model: 'mock/scripted',
    small_model: 'mock/scripted',
    enabled_providers: ['mock'],
    autoupdate: false,
    share: 'disabled',
    provider: {
      mock: {
        npm: '@ai-sdk/openai-compatible',
        options: { baseURL: `${modelUrl}/v1`, apiKey: 'dummy' },
        models: { scripted: { tool_call: true, limit: { context: 200_000, output: 8_000 } } },
      },
    },
    mcp: {
      [serverKey]: {
        type: 'local',
        command: [server.command, ...server.args],
        environment: server.env ?? {},
        enabled: true,
        timeout: 30_000,
      },
    },
  };
}
