import { posix, win32 } from 'node:path';
import type { Environment } from '../plane-provider.ts';

/** The machine as the planning sees it, so that a test can plan for another system. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly env: Environment;
  /** Absolute. */
  readonly home: string;
  /** The working tree of the project that loopx was started in, absolute; none outside every project. */
  readonly project: string | undefined;
}

/** Paths by the rules of the machine's system. */
export function pathsOf({ platform }: Pick<Machine, 'platform'>): typeof posix {
  return platform === 'win32' ? win32 : posix;
}
