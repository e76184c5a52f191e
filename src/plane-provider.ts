import { homedir } from 'node:os';
import type { ControlPlane } from './state/control-plane.ts';
import { call, type Refusal } from './state/kernel/refusal.ts';
import {
  currentFolder,
  findWorkspace,
  type TriedPlace,
  type WorkspaceResult,
} from './state/workspace/find-workspace.ts';

export type Environment = { readonly [name: string]: string | undefined };
export type FoundWorkspace = Extract<WorkspaceResult, { ok: true }>;

export interface PlaneProviderOptions {
  /** The argument --workspace. */
  readonly workspace?: string | undefined;
  readonly env: Environment;
  readonly open: (workspace: FoundWorkspace) => Promise<ControlPlane>;
}

export type Opened = { readonly plane: ControlPlane } | { readonly refusal: Refusal };

/** The URIs of the host's roots, asked only when nothing said earlier decides. */
export type ListRoots = () => Promise<readonly string[]>;

/**
 * The one control plane of this process, opened at the first call that needs it: a host starts servers only to list
 * their tools, so a start must neither need nor touch a workspace.
 */
export class PlaneProvider {
  readonly #options: PlaneProviderOptions;
  #opening: Promise<Opened> | undefined;
  #plane: ControlPlane | undefined;
  #isClosed = false;

  constructor(options: PlaneProviderOptions) {
    this.#options = options;
  }

  /** Calls side by side share one opening; what failed is tried again by the next call. */
  open(listRoots: ListRoots): Promise<Opened> {
    this.#opening ??= this.#openOnce(listRoots).then(
      (opened) => {
        if ('refusal' in opened) this.#opening = undefined;
        return opened;
      },
      (error) => {
        this.#opening = undefined;
        throw error;
      },
    );
    return this.#opening;
  }

  /** Ends the session of the plane, if any was opened. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#plane?.close();
  }

  async #openOnce(listRoots: ListRoots): Promise<Opened> {
    const workspace = await this.#find(listRoots);
    if (!workspace.ok) return { refusal: noWorkspace(workspace.tried) };
    const plane = await this.#options.open(workspace);
    this.#plane = plane;
    // The host may have gone while the store was being opened.
    if (this.#isClosed) await plane.close();
    return { plane };
  }

  async #find(listRoots: ListRoots): Promise<WorkspaceResult> {
    const { workspace: explicit, env } = this.#options;
    const isSaid = explicit !== undefined || env.LOOPX_WORKSPACE || env.CLAUDE_PROJECT_DIR;
    const roots = isSaid ? [] : await listRoots();
    return findWorkspace({ explicit, env, roots, cwd: currentFolder(), home: env.HOME ?? homedir() });
  }
}

function noWorkspace(tried: readonly TriedPlace[]): Refusal {
  const places = tried
    .map(({ source, value, why }) => `${source}${value === '' ? '' : ` ${value}`}: ${why}`)
    .join('; ');
  return {
    code: 'no-workspace',
    message: `No workspace to keep state in (${places}); start the host inside a project, or set LOOPX_WORKSPACE or --workspace to its folder.`,
    details: { tried },
    next: [call('goal_status', {}, 'Ask again once the server has a workspace.')],
  };
}
