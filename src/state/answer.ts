import type { NextCall, RefusalCode } from './kernel/refusal.ts';
import type { Deed } from './permit.ts';

/** Something that concerns the asking agent; it rides on whatever answer comes next, once. */
export interface NoticeAnswer {
  readonly code: string;
  readonly text: string;
  readonly todo?: string;
  readonly gate?: string;
}

/** What every operation answers, on every surface. `version` is the log version the answer is true of. */
export type Answer = OkAnswer | RefusedAnswer;

export interface OkAnswer {
  readonly ok: true;
  readonly version: number;
  readonly you?: string;
  readonly notices?: readonly NoticeAnswer[];
  readonly [field: string]: unknown;
}

export interface RefusedAnswer {
  readonly ok: false;
  readonly version: number;
  readonly code: RefusalCode;
  readonly message: string;
  readonly details: { readonly [field: string]: unknown };
  readonly next: readonly NextCall[];
  readonly you?: string;
  readonly notices?: readonly NoticeAnswer[];
  readonly [field: string]: unknown;
}

/** The reads of the control plane. */
export type Query =
  | ({ readonly type: 'goal.status' } & GoalStatusQuery)
  | {
      readonly type: 'quota.should-run';
      readonly goal?: string | undefined;
      readonly capabilities?: readonly string[] | undefined;
      readonly claim?: boolean | undefined;
      /** Seconds (0 to 50) the call may be held open until the decision would change. */
      readonly waitS?: number | undefined;
      /** A look on somebody's behalf: it neither backs off nor counts as having told the owner. */
      readonly isLook?: boolean | undefined;
    }
  | {
      readonly type: 'review.packet';
      readonly gate?: string | undefined;
      readonly todo?: string | undefined;
      readonly goal?: string | undefined;
    }
  | { readonly type: 'audit'; readonly goal?: string | undefined; readonly deep?: boolean | undefined }
  | { readonly type: 'log.read'; readonly after: number; readonly limit?: number | undefined }
  | { readonly type: 'board'; readonly goal?: string | undefined }
  | { readonly type: 'goals' }
  | ({ readonly type: 'permit' } & SessionQuery & Deed)
  | ({ readonly type: 'session' } & SessionQuery);

/** The agents of the caller's session or, where a host does not say which session is which, all agents of that host. */
export interface SessionQuery {
  /** Part of the host's name, in lower case. */
  readonly anyOfHost?: string | undefined;
}

export type StatusView = 'summary' | 'todos' | 'gates' | 'evidence' | 'agents' | 'history' | 'quota' | 'reservations';

export interface GoalStatusQuery {
  readonly goal?: string | undefined;
  readonly view?: StatusView | undefined;
  readonly id?: string | undefined;
  readonly state?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  /** For view=history: the kind of event, who did it, and the versions or times between. */
  readonly kind?: string | undefined;
  readonly agent?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Who calls, as the surface knows it. */
export interface Caller {
  /** The call's own `agent` argument. */
  readonly agent?: string | undefined;
  /** Name of the host ("claude-code"), from the client's own words: never trusted, only told. */
  readonly host: string;
  readonly hostSession?: string | undefined;
  readonly kind: 'mcp' | 'cli';
}

/** The owner, speaking through one of the owner's channels. */
export interface OwnerCaller {
  readonly name: string;
  readonly channel: 'prompt' | 'elicitation' | 'cli' | 'dashboard';
  readonly grade: 'prompt' | 'confirmed' | 'signed';
  readonly signature?: string | undefined;
  readonly signedAt?: string | undefined;
}

/** What changed with the commits up to `version`: enough for a subscriber to know what to read again. */
export interface Change {
  readonly version: number;
  readonly goals: readonly string[];
  readonly todos: readonly string[];
  readonly gates: readonly string[];
  readonly evidence: readonly string[];
  readonly agents: readonly string[];
}
