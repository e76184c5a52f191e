import { userInfo } from 'node:os';
import type { Environment } from '../plane-provider.ts';

/** The name under which the owner's words are kept: the user this process runs as. */
export function ownerName(env: Environment): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run as a user that has no name.
    return env.USER || 'owner';
  }
}
