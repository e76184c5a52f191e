import type { Answer, Caller, Change, OwnerCaller, Query } from './answer.ts';
import type { Act, OwnerAct } from './kernel/commands.ts';

/** The only door to the control plane: commands go in by `execute` and `own`, questions by `query`. */
export interface ControlPlane {
  /** A write by an agent; `key` is its idempotency key. Refusals are answers, never exceptions. */
  execute(act: Exclude<Act, OwnerAct>, caller: Caller, key?: string): Promise<Answer>;
  /** An act of the owner, through a channel and with a grade. */
  own(act: OwnerAct, owner: OwnerCaller, key?: string): Promise<Answer>;
  query(query: Query, caller: Caller, signal?: AbortSignal): Promise<Answer>;
  /** Calls back within a second of any commit on this workspace, whichever process made it. */
  watch(onChange: (change: Change) => void): () => void;
  /** Ends the session: presence says so, timers stop, an append under way is finished first. */
  close(): Promise<void>;
}
