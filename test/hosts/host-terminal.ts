import { rm } from 'node:fs/promises';
import { type HostRunOptions, type MakeLaunch, makeHome } from './host-run.ts';
import { endLeftovers } from './leftovers.ts';
import { ScriptedModel } from './scripted-model.ts';
import { Terminal } from './terminal.ts';

/** A host's terminal interface with the scripted model behind it. */
export type HostTerminal = { terminal: Terminal; model: ScriptedModel; close: () => Promise<void> };

/** Opens a host as a person would; `close` ends it and removes its home unless the home was given. */
export async function openHost(
  { script, homeDir }: Pick<HostRunOptions, 'script' | 'homeDir'>,
  makeLaunch: MakeLaunch,
): Promise<HostTerminal> {
  const model = await ScriptedModel.start(script);
  const home = homeDir ?? (await makeHome());
  const terminal = await Terminal.start(await makeLaunch(home, model.url));
  const close = async () => {
    await terminal.stop();
    await endLeftovers(home);
    await model.stop();
    if (homeDir === undefined) await rm(home, { recursive: true, force: true, maxRetries: 5 });
  };
  return { terminal, model, close };
}
