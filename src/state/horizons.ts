import { join } from 'node:path';
import { LowSync } from 'lowdb';
import { JSONFileSync } from 'lowdb/node';
import { z } from 'zod';
import { limits } from './kernel/limits.ts';

/** After how many seconds without a tool call an agent is idle, and how many a challenged holder has to answer. */
export interface Horizons {
  readonly idleAfterS: number;
  readonly graceS: number;
}

const settingsSchema = z.object({
  idleAfterS: z.number().positive().optional(),
  graceS: z.number().min(0).optional(),
  /** The name of this workspace in the team's database. */
  teamWorkspace: z.string().min(1).max(200).optional(),
});

type Settings = z.infer<typeof settingsSchema>;

/** From the environment, else from the workspace's settings.json, else as 01-kernel says; reading writes nothing. */
export function readHorizons(stateDir: string, env: NodeJS.ProcessEnv): Horizons {
  const settings = readSettings(stateDir);
  return {
    idleAfterS: seconds(env.LOOPX_IDLE_AFTER_S) ?? settings.idleAfterS ?? limits.idleAfterSDefault,
    graceS: seconds(env.LOOPX_GRACE_S) ?? settings.graceS ?? limits.graceSDefault,
  };
}

/** The workspace's settings.json; one that cannot be read sets nothing, and doctor names it. */
export function readSettings(stateDir: string): Settings {
  try {
    const store = new LowSync<Settings>(new JSONFileSync(join(stateDir, 'settings.json')), {});
    store.read();
    return settingsSchema.safeParse(store.data).data ?? {};
  } catch {
    return {};
  }
}

function seconds(text: string | undefined): number | undefined {
  const value = text === undefined || text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) && value >= 0 ? value : undefined;
}
