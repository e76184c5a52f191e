import type { Seen } from './commands.ts';
import type { State } from './state.ts';

/** The state as one agent sees it at one moment, with what was seen of the world outside the log. */
export interface View {
  readonly state: State;
  /** Log time, ms. */
  readonly at: number;
  readonly agent: string;
  readonly session: string;
  readonly capabilities: readonly string[];
  readonly seen: Seen;
}

export const nothingSeen: Seen = {
  sessions: {},
  files: {},
  globs: {},
  hashed: [],
  idleAfterS: 3_600,
  graceS: 300,
};
