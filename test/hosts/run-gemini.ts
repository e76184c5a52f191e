import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cleanEnv, type HostRun, type HostRunOptions, type Launch, runHost } from './host-run.ts';
import { installHost } from './install-hosts.ts';
import { serverKey } from './wire.ts';

// A model named outright, or the host first asks a small one which to take.
const model = 'gemini-2.5-pro';

/** Runs `gemini -p` once against the scripted model. */
export async function runGemini(options: HostRunOptions): Promise<HostRun> {
  return runHost(options, async (homeDir, modelUrl) => {
    const launch = await geminiLaunch(options, homeDir, modelUrl);
    return { ...launch, args: [...launch.args, '--yolo', '-p', options.prompt ?? 'Follow the script.'] };
  });
}

/** Gemini CLI as a person starts it: the terminal interface. */
async function geminiLaunch(options: HostRunOptions, homeDir: string, modelUrl: string): Promise<Launch> {
  const host = await installHost('gemini');
  await mkdir(join(homeDir, '.gemini'), { recursive: true });
  await writeFile(join(homeDir, '.gemini', 'settings.json'), JSON.stringify(settingsOf(options), undefined, 2));
  const env = {
    ...cleanEnv(homeDir, modelUrl),
    GEMINI_API_KEY: 'dummy',
    GOOGLE_GEMINI_BASE_URL: modelUrl,
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
    ...options.env,
  };
  const args = [...host.args, '-m', model, ...(options.hostArgs ?? [])];
  return { command: host.command, args, env, cwd: options.projectDir };
}

function settingsOf({ server }: HostRunOptions): object {
  const { command, args, env } = server;
  return {
    security: { auth: { selectedType: 'gemini-api-key' } },
    general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
    telemetry: { enabled: false },
    privacy: { usageStatisticsEnabled: false },
    mcpServers: { [serverKey]: { command, args, env: env ?? {}, timeout: 600_000 } },
  };
}
