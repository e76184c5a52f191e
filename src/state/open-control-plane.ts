import type { ControlPlane } from './control-plane.ts';
import { readHorizons, readSettings } from './horizons.ts';
import { knowsEvent } from './kernel/event-types.ts';
import { LiveControlPlane } from './live-control-plane.ts';
import type { CommitLog } from './log/commit-log.ts';
import { openFileLog } from './log/file-log.ts';
import { AgentMemory } from './presence/agent-memory.ts';
import type { Presence } from './presence/presence.ts';
import { PresenceStore } from './presence/presence-store.ts';
import { selfIdentity } from './presence/process-identity.ts';
import { Watch } from './presence/watch.ts';
import { Session } from './session.ts';
import { SnapshotKeeper } from './snapshot.ts';
import { Told } from './told.ts';
import { World } from './world.ts';

export interface OpenOptions {
  /** The folder that stands for the workspace, and the working tree that this process sees its files in. */
  readonly root: string;
  readonly worktree?: string;
  readonly stateDir: string;
  readonly env: NodeJS.ProcessEnv;
  /** Another store than the one the environment names. */
  readonly log?: CommitLog;
}

interface Store {
  readonly log: CommitLog;
  readonly presence: Presence;
  readonly snapshots?: SnapshotKeeper;
}

/** Opens the control plane of a workspace. Nothing is written by opening it. */
export async function openControlPlane(options: OpenOptions): Promise<ControlPlane> {
  const { root, stateDir, env, worktree = root } = options;
  const horizons = readHorizons(stateDir, env);
  const { log, presence, snapshots } = await openStore(options);
  const now = () => log.now?.() ?? Date.now();
  return new LiveControlPlane({
    log,
    snapshots,
    presence,
    world: new World({ root: worktree, presence, watch: new Watch(stateDir, presence.self), horizons, now }),
    session: new Session(presence, env, now),
    told: new Told(new AgentMemory(stateDir)),
    idleAfterS: horizons.idleAfterS,
    root,
  });
}

/** The workspace's own files, or the team's database where LOOPX_STORE names one. */
async function openStore({ root, stateDir, env, log }: OpenOptions): Promise<Store> {
  const self = selfIdentity();
  if (log) return { log, presence: new PresenceStore(stateDir, self) };
  const url = env.LOOPX_STORE;
  if (!url) {
    const files = openFileLog({ stateDir, knowsEvent });
    return {
      log: files,
      snapshots: new SnapshotKeeper(stateDir, files),
      presence: new PresenceStore(stateDir, self),
    };
  }
  const { openTeamStore } = await import('./log/postgres/team-store.ts');
  return openTeamStore({
    url,
    root,
    name: env.LOOPX_TEAM_WORKSPACE || readSettings(stateDir).teamWorkspace,
    self,
    knowsEvent,
  });
}
