import type { ControlPlane } from './control-plane.ts';
import { readHorizons } from './horizons.ts';
import { knowsEvent } from './kernel/event-types.ts';
import { LiveControlPlane } from './live-control-plane.ts';
import type { CommitLog } from './log/commit-log.ts';
import { openFileLog } from './log/file-log.ts';
import { AgentMemory } from './presence/agent-memory.ts';
import { PresenceStore } from './presence/presence-store.ts';
import { selfIdentity } from './presence/process-identity.ts';
import { Watch } from './presence/watch.ts';
import { Session } from './session.ts';
import { Told } from './told.ts';
import { World } from './world.ts';

export interface OpenOptions {
  /** The folder that stands for the workspace, and the working tree that this process sees its files in. */
  readonly root: string;
  readonly worktree?: string;
  readonly stateDir: string;
  readonly env: NodeJS.ProcessEnv;
  /** Another store than the workspace's own files. */
  readonly log?: CommitLog;
}

/** Opens the control plane of a workspace. Nothing is written by opening it. */
export async function openControlPlane(options: OpenOptions): Promise<ControlPlane> {
  const { root, stateDir, env, worktree = root } = options;
  const self = selfIdentity();
  const presence = new PresenceStore(stateDir, self);
  const horizons = readHorizons(stateDir, env);
  const log = options.log ?? openFileLog({ stateDir, knowsEvent });
  return new LiveControlPlane({
    log,
    world: new World({ root: worktree, presence, watch: new Watch(stateDir, self), horizons }),
    session: new Session(presence, env),
    told: new Told(new AgentMemory(stateDir)),
    idleAfterS: horizons.idleAfterS,
    root,
  });
}
