/** The things the control plane remembers. All times are milliseconds of the log's clock (see clock.ts). */

export type GoalStatus = 'active' | 'paused' | 'done' | 'stopped';
export type TodoState = 'open' | 'active' | 'done' | 'blocked' | 'deferred' | 'dropped';
export type TodoKind = 'work' | 'monitor' | 'review';
export type Priority = 'P0' | 'P1' | 'P2' | 'P3';
export type GateKind = 'decision' | 'approval' | 'information' | 'amendment' | 'completion';
export type GateState = 'open' | 'answered' | 'withdrawn' | 'superseded';
export type Effect = 'approve' | 'deny' | 'choose';
export type AnswerGrade = 'prompt' | 'confirmed' | 'signed';
export type Channel = 'prompt' | 'elicitation' | 'cli' | 'dashboard';
export type EvidenceKind = 'test' | 'command' | 'diff' | 'artifact' | 'metric' | 'observation' | 'decision' | 'blocker';
export type EvidenceResult = 'pass' | 'fail' | 'inconclusive' | 'info';
export type EvidenceGrade = 'claimed' | 'pinned' | 'peer' | 'owner';
export type Outcome = 'primary' | 'progress' | 'surface' | 'gap' | 'blocked' | 'quiet' | 'replan';

export const priorities: readonly Priority[] = ['P0', 'P1', 'P2', 'P3'];

export interface Criterion {
  /** A1, A2 … within its goal or todo. */
  readonly id: string;
  readonly text: string;
  /** Why it was dropped, by recorded decision; absent while it counts. */
  readonly dropped?: string;
}

/** Path globs relative to the workspace and named resources such as `account:shop-1`. */
export interface Scope {
  readonly paths: readonly string[];
  readonly resources: readonly string[];
}

export interface GoalScope extends Scope {
  readonly denyPaths: readonly string[];
}

export interface QuotaPolicy {
  readonly windowH: number;
  readonly slotMinutes: number;
  readonly compute: number;
  readonly allowedSlots?: number;
  readonly tokens?: number;
  readonly usd?: number;
  readonly turns?: number;
  readonly noProgressLimit: number;
}

/** What one paid writeback or spend cost; `turns` is 1 for a turn and 0 for a later payment of it. */
export interface Spend {
  readonly at: number;
  readonly slots: number;
  readonly tokens: number;
  readonly usd: number;
  readonly turns: number;
}

export interface Lesson {
  readonly text: string;
  readonly at: number;
}

export interface Goal {
  readonly goal: string;
  readonly title: string;
  readonly objective: string;
  readonly objectiveVersion: number;
  readonly acceptance: readonly Criterion[];
  readonly nonGoals: readonly string[];
  readonly scope: GoalScope;
  readonly quota: QuotaPolicy;
  readonly status: GoalStatus;
  readonly startedBy: string;
  readonly startedAt: number;
  /** Version of the last commit that touched this goal or anything in it. */
  readonly version: number;
  /** Version at which the goal ended, for "the one that ended last". */
  readonly endedVersion?: number;
  readonly lessons: readonly Lesson[];
  readonly spends: readonly Spend[];
  /** Version at which something last came in that may reopen a refused completion: evidence, a todo, an amendment. */
  readonly newsVersion: number;
  /** Version at which the owner last said no to the completion gate, and their words. */
  readonly completionDenied?: { readonly version: number; readonly words: string };
}

export type ResumeWhen =
  | { readonly todoDone: string }
  | { readonly gateAnswered: string }
  | { readonly at: string }
  | { readonly manual: true };

/** A lease on a todo. Its token is the version of the commit that granted it. */
export interface Claim {
  readonly holder: string;
  /** The session that stands for the holder now, and the one the claim was granted or last settled in. */
  readonly session: string;
  readonly settledSession: string;
  readonly token: number;
  readonly ttlS: number;
  readonly grantedAt: number;
  readonly renewedAt: number;
  readonly challenge?: { readonly by: string; readonly at: number; readonly graceS: number };
}

/** What an agent that lost a claim is told: who took it, when and why. */
export interface LostClaim {
  readonly token: number;
  readonly to: string;
  readonly at: number;
  readonly why: string;
}

export interface Note {
  readonly by: string;
  readonly at: number;
  readonly text: string;
}

export interface Todo {
  readonly todo: string;
  readonly goal: string;
  readonly title: string;
  readonly detail: string;
  readonly kind: TodoKind;
  readonly priority: Priority;
  readonly after: readonly string[];
  readonly scope: Scope;
  readonly capabilities: readonly string[];
  readonly excludeAgents: readonly string[];
  readonly acceptance: readonly Criterion[];
  readonly covers: readonly string[];
  readonly parent?: string;
  readonly state: TodoState;
  readonly reason?: string;
  readonly resumeWhen?: ResumeWhen;
  /** The gate whose denial blocks it; only the owner lifts that. */
  readonly deniedBy?: string;
  /** When a monitor is due next (log time), its own interval, and the interval as widened by unchanged reports. */
  readonly dueAt?: number;
  readonly everyS?: number;
  readonly intervalS?: number;
  readonly notes: readonly Note[];
  readonly choices: readonly {
    readonly gate: string;
    readonly option: string;
    readonly label: string;
    readonly words: string;
  }[];
  readonly evidence: readonly string[];
  readonly claim?: Claim;
  readonly handoff?: string;
  readonly lost: { readonly [agent: string]: LostClaim };
  /** Scopes it had before, with the version up to which each was in force. */
  readonly formerScopes: readonly { readonly until: number; readonly scope: Scope }[];
  readonly addedBy: string;
  readonly version: number;
}

export interface GateOption {
  readonly key: string;
  readonly label: string;
  readonly effect: Effect;
}

export interface Amendment {
  readonly title?: string;
  readonly objective?: string;
  readonly addAcceptance?: readonly string[];
  readonly dropAcceptance?: readonly string[];
  readonly nonGoals?: readonly string[];
  readonly scope?: {
    readonly paths?: readonly string[];
    readonly denyPaths?: readonly string[];
    readonly resources?: readonly string[];
  };
  readonly quota?: Partial<QuotaPolicy>;
}

export interface GateAnswer {
  readonly option: string;
  readonly effect: Effect;
  readonly channel: Channel;
  readonly grade: AnswerGrade;
  readonly name: string;
  readonly words: string;
  readonly at: number;
}

export interface Gate {
  readonly gate: string;
  readonly goal: string;
  readonly kind: GateKind;
  readonly question: string;
  readonly options: readonly GateOption[];
  readonly blocks: { readonly todos: readonly string[]; readonly goal: boolean };
  readonly protects: {
    readonly paths: readonly string[];
    readonly resources: readonly string[];
    readonly commands: readonly string[];
  };
  readonly context: string;
  readonly recommend?: string;
  readonly evidence: readonly string[];
  readonly minGrade?: AnswerGrade;
  readonly amendment?: Amendment;
  readonly askedBy: string;
  readonly askedAt: number;
  readonly state: GateState;
  /** Counts the times it was asked: 1, then one more at each reopening; a signature names it. */
  readonly revision: number;
  readonly openedVersion: number;
  readonly subjectDigest: string;
  readonly answer?: GateAnswer;
  readonly closedWhy?: string;
  readonly version: number;
}

export interface HashedFile {
  readonly path: string;
  readonly sha256: string;
}

export interface HashedGlob {
  readonly glob: string;
  /** Digest over all files it matched, and the first of them one by one so that a change can be named. */
  readonly sha256: string;
  readonly count: number;
  readonly files: readonly HashedFile[];
}

export interface Evidence {
  readonly evidence: string;
  readonly goal: string;
  readonly todo?: string;
  readonly kind: EvidenceKind;
  readonly summary: string;
  readonly result: EvidenceResult;
  readonly criteria: readonly string[];
  /** Whose criteria those were when it was written; a todo that gets some of its own later does not change that. */
  readonly criteriaBelongTo: 'goal' | 'todo';
  readonly files: readonly HashedFile[];
  readonly globs: readonly HashedGlob[];
  readonly commit?: string;
  readonly command?: { readonly line: string; readonly exitCode?: number; readonly outputSha256?: string };
  readonly url?: string;
  readonly metrics?: { readonly [name: string]: number };
  readonly validForS?: number;
  readonly supersedes?: string;
  readonly supersededBy?: string;
  /** The evidence that this one confirms. */
  readonly confirms?: string;
  readonly confirmedBy: readonly { readonly agent: string; readonly session: string }[];
  /** The owner who accepted it, by name. */
  readonly acceptedBy?: string;
  readonly by: string;
  readonly session: string;
  readonly at: number;
  readonly version: number;
}

export interface Handoff {
  readonly handoff: string;
  readonly goal: string;
  readonly todo: string;
  readonly from: string;
  readonly to: { readonly agent?: string; readonly capability?: string; readonly any?: true };
  readonly summary: string;
  readonly done: readonly string[];
  readonly pending: readonly string[];
  readonly files: readonly string[];
  readonly risks: readonly string[];
  readonly questions: readonly string[];
  readonly acceptWithinS: number;
  readonly at: number;
  readonly state: 'offered' | 'accepted' | 'declined' | 'ended';
  readonly takenBy?: string;
  readonly version: number;
}

export interface Reservation {
  readonly resource: string;
  readonly mode: 'exclusive' | 'shared';
  readonly holder: string;
  readonly session: string;
  readonly token: number;
  readonly ttlS: number;
  readonly renewedAt: number;
  readonly goal?: string;
  /** Whether its session is a witness of its own and not the holder's session. */
  readonly hasWitness?: true;
}

export interface Agent {
  readonly agent: string;
  readonly session: string;
  readonly host: string;
  readonly sessionKind: 'mcp' | 'cli';
  readonly hostSession?: string;
  readonly capabilities: readonly string[];
  readonly role?: string;
  readonly note?: string;
  /** Sessions it was bound to before, the latest last; a write from one of them is fenced. */
  readonly formerSessions: readonly string[];
  readonly joinedAt: number;
  readonly version: number;
}

/** How one agent's turns on one goal stand. */
export interface Turns {
  /** Writebacks in a row without progress. */
  readonly stalled: number;
  /** Validated writebacks that nothing was spent for yet. */
  readonly unpaid: number;
  /** Whether it added or changed a todo since its last writeback. */
  readonly hasReplanned: boolean;
  /** Whether it made progress since its last writeback. */
  readonly hasProgressed: boolean;
  /** What it claimed last, so that monitors and work take turns. */
  readonly lastRun?: 'monitor' | 'todo';
}

export interface Notice {
  readonly version: number;
  readonly code: NoticeCode;
  readonly text: string;
  readonly todo?: string;
  readonly gate?: string;
}

export type NoticeCode =
  | 'claim-lost'
  | 'claim-expiring'
  | 'challenged'
  | 'gate-answered'
  | 'gate-overlaps'
  | 'handoff-offered'
  | 'evidence-stale'
  | 'owner-changed-goal';
