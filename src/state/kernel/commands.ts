import type {
  Amendment,
  AnswerGrade,
  Channel,
  EvidenceKind,
  EvidenceResult,
  GateKind,
  GateOption,
  HashedFile,
  HashedGlob,
  Outcome,
  Priority,
  QuotaPolicy,
  ResumeWhen,
  TodoKind,
} from './model.ts';

/** What is asked of the control plane, in the words of the tools. Text is as it came in; `decide` checks it. */
export type Act =
  | ({ readonly type: 'agent.join' } & AgentJoin)
  | ({ readonly type: 'goal.start' } & GoalStart)
  | ({ readonly type: 'todo.add' } & TodoAdd)
  | ({ readonly type: 'todo.claim' } & TodoClaim)
  | ({ readonly type: 'todo.update' } & TodoUpdate)
  | ({ readonly type: 'gate.ask' } & GateAsk)
  | ({ readonly type: 'evidence.write' } & EvidenceWrite)
  | ({ readonly type: 'writeback' } & Writeback)
  | ({ readonly type: 'quota.spend' } & QuotaSpend)
  | ({ readonly type: 'quota.claim' } & QuotaClaim)
  | ({ readonly type: 'handoff' } & HandoffOffer)
  | ({ readonly type: 'monitor.report' } & MonitorReport)
  | ({ readonly type: 'reserve' } & Reserve)
  | OwnerAct;

/** What only the owner's channels can ask. */
export type OwnerAct =
  | {
      readonly type: 'gate.answer';
      readonly gate: string;
      readonly option: string;
      readonly words?: string;
      /** The revision that was shown; an answer to an earlier question is refused. */
      readonly revision?: number;
    }
  | { readonly type: 'gate.withdraw'; readonly gate: string; readonly words?: string }
  | { readonly type: 'gate.supersede'; readonly gate: string; readonly words?: string }
  | { readonly type: 'gate.lift'; readonly gate: string; readonly words?: string }
  | { readonly type: 'goal.amend'; readonly goal: string; readonly amendment: Amendment; readonly words?: string }
  | { readonly type: 'goal.pause'; readonly goal: string; readonly words?: string }
  | { readonly type: 'goal.resume'; readonly goal: string; readonly words?: string }
  | { readonly type: 'goal.stop'; readonly goal: string; readonly words?: string }
  | { readonly type: 'goal.lesson'; readonly goal: string; readonly text: string }
  | { readonly type: 'evidence.accept'; readonly evidence: string; readonly words?: string }
  | { readonly type: 'owner.set-key'; readonly publicKey: string }
  | { readonly type: 'owner.set-min-grade'; readonly minGrade: AnswerGrade };

export interface AgentJoin {
  readonly capabilities?: readonly string[] | undefined;
  readonly role?: string | undefined;
  readonly note?: string | undefined;
}

export interface GoalStart {
  readonly goal?: string | undefined;
  readonly title?: string | undefined;
  readonly objective: string;
  readonly acceptance?: readonly string[] | undefined;
  readonly nonGoals?: readonly string[] | undefined;
  readonly scope?: ScopeInput | undefined;
  readonly quota?: Partial<QuotaPolicy> | undefined;
  readonly todos?: readonly TodoSpec[] | undefined;
}

export interface ScopeInput {
  readonly paths?: readonly string[] | undefined;
  readonly denyPaths?: readonly string[] | undefined;
  readonly resources?: readonly string[] | undefined;
}

export interface TodoSpec {
  readonly title: string;
  readonly detail?: string | undefined;
  readonly kind?: TodoKind | undefined;
  readonly priority?: Priority | undefined;
  readonly after?: readonly string[] | undefined;
  readonly scope?: ScopeInput | undefined;
  readonly capabilities?: readonly string[] | undefined;
  readonly excludeAgents?: readonly string[] | undefined;
  readonly acceptance?: readonly string[] | undefined;
  readonly covers?: readonly string[] | undefined;
  readonly resumeWhen?: ResumeWhen | undefined;
  readonly dueAt?: string | undefined;
  readonly everyS?: number | undefined;
  readonly parent?: string | undefined;
  readonly ref?: string | undefined;
}

export interface TodoAdd {
  readonly goal?: string | undefined;
  readonly todos: readonly TodoSpec[];
}

export interface TodoClaim {
  readonly todo?: string | undefined;
  readonly goal?: string | undefined;
  readonly ttlS?: number | undefined;
  readonly challenge?: boolean | undefined;
}

export type NextState = 'open' | 'done' | 'blocked' | 'deferred' | 'dropped';

export interface TodoUpdate extends Partial<Omit<TodoSpec, 'ref'>> {
  readonly todo: string;
  readonly token?: number | undefined;
  readonly state?: NextState | undefined;
  readonly note?: string | undefined;
  readonly reason?: string | undefined;
  readonly renew?: boolean | undefined;
}

export interface GateAsk {
  readonly goal?: string | undefined;
  readonly question: string;
  readonly options?: readonly GateOption[] | undefined;
  readonly kind?: GateKind | undefined;
  readonly blocks?: { readonly todos?: readonly string[] | undefined; readonly goal?: boolean | undefined } | undefined;
  readonly protects?:
    | {
        readonly paths?: readonly string[] | undefined;
        readonly resources?: readonly string[] | undefined;
        readonly commands?: readonly string[] | undefined;
      }
    | undefined;
  readonly context?: string | undefined;
  readonly recommend?: string | undefined;
  readonly evidence?: readonly string[] | undefined;
  readonly amendment?: Amendment | undefined;
  readonly minGrade?: AnswerGrade | undefined;
}

export interface EvidenceInput {
  readonly kind: EvidenceKind;
  readonly summary: string;
  readonly result: EvidenceResult;
  readonly criteria?: readonly string[] | undefined;
  readonly files?: readonly string[] | undefined;
  readonly globs?: readonly string[] | undefined;
  readonly commit?: string | undefined;
  readonly command?:
    | { readonly line: string; readonly exitCode?: number | undefined; readonly outputSha256?: string | undefined }
    | undefined;
  readonly url?: string | undefined;
  readonly metrics?: { readonly [name: string]: number } | undefined;
  readonly validForS?: number | undefined;
  readonly supersedes?: string | undefined;
  readonly confirms?: string | undefined;
}

export interface EvidenceWrite extends EvidenceInput {
  readonly goal?: string | undefined;
  readonly todo?: string | undefined;
}

export interface Writeback {
  readonly goal?: string | undefined;
  readonly todo?: string | undefined;
  readonly token?: number | undefined;
  readonly outcome: Outcome;
  readonly summary: string;
  readonly nextAction?: string | undefined;
  readonly evidence?: readonly EvidenceInput[] | undefined;
  readonly todoState?: NextState | undefined;
  readonly reason?: string | undefined;
  readonly resumeWhen?: ResumeWhen | undefined;
  readonly successors?: readonly TodoSpec[] | undefined;
  readonly handoff?: Omit<HandoffOffer, 'todo'> | undefined;
  readonly spend?: SpendInput | undefined;
}

export interface SpendInput {
  readonly slots?: number | undefined;
  readonly tokens?: number | undefined;
  readonly usd?: number | undefined;
}

export interface QuotaSpend extends SpendInput {
  readonly goal?: string | undefined;
  readonly todo?: string | undefined;
  readonly reason?: string | undefined;
}

/** The claim of quota_should_run with `claim: true`: what the decision names, and nothing when it names nothing. */
export interface QuotaClaim {
  readonly goal?: string | undefined;
  readonly capabilities?: readonly string[] | undefined;
}

export interface HandoffOffer {
  readonly todo: string;
  readonly token?: number | undefined;
  readonly to: {
    readonly agent?: string | undefined;
    readonly capability?: string | undefined;
    readonly any?: boolean | undefined;
  };
  readonly summary: string;
  readonly done?: readonly string[] | undefined;
  readonly pending?: readonly string[] | undefined;
  readonly files?: readonly string[] | undefined;
  readonly risks?: readonly string[] | undefined;
  readonly questions?: readonly string[] | undefined;
  readonly acceptWithinS?: number | undefined;
}

export interface MonitorReport {
  readonly todo: string;
  readonly token?: number | undefined;
  readonly changed: boolean;
  readonly observation?: string | undefined;
  readonly nextDueS?: number | undefined;
}

export interface Reserve {
  readonly goal?: string | undefined;
  readonly resources: readonly string[];
  readonly mode?: 'exclusive' | 'shared' | undefined;
  readonly ttlS?: number | undefined;
  readonly release?: boolean | undefined;
  /** Another session that stands for the holder: a guarded command's process group. No tool can name one. */
  readonly witness?: string | undefined;
}

/** Who asks. An agent is known by its session; the owner by a channel and how sure it is that a human spoke. */
export type Actor =
  | {
      readonly kind: 'agent';
      /** The agent named in the call, else undefined; `fallback` is who it is if nobody joined this session. */
      readonly agent?: string | undefined;
      readonly fallback: string;
      readonly session: string;
      readonly sessionKind: 'mcp' | 'cli';
      readonly host: string;
      readonly hostSession?: string | undefined;
    }
  | {
      readonly kind: 'owner';
      readonly name: string;
      readonly channel: Channel;
      readonly grade: AnswerGrade;
      /** Base64 Ed25519, and the time that was signed with it (ISO). */
      readonly signature?: string | undefined;
      readonly signedAt?: string | undefined;
    };

/** What was seen of one session's process, for one agent on it. */
export interface Sighting {
  readonly standing: 'alive' | 'dead' | 'unknown';
  readonly isIdle: boolean;
  /** Wall clock ms of the agent's last tool call and of the server's last heartbeat for it. */
  readonly lastActivityAt?: number | undefined;
  readonly beatAt?: number | undefined;
  readonly host?: string | undefined;
  readonly pid?: number | undefined;
  readonly hostSession?: string | undefined;
  /** Whether the heartbeat stood still long enough under the asker's own watch (two heartbeats of the claim). */
  readonly hasStoodStill?: boolean | undefined;
  /** Seconds of that watch still to go. */
  readonly watchLeftS?: number | undefined;
}

/** What the control plane saw outside the log before it asked for a decision. */
export interface Seen {
  /** By session and agent: `${session}/${agent}`. */
  readonly sessions: { readonly [sessionAndAgent: string]: Sighting };
  /** Present contents of the files and globs that evidence rests on: SHA-256, or null where nothing is there. */
  readonly files: { readonly [path: string]: string | null };
  readonly globs: {
    readonly [glob: string]: { readonly sha256: string; readonly files: readonly HashedFile[] } | null;
  };
  /** What the server took down for evidence that this command brings, in its order. */
  readonly hashed: readonly {
    readonly files: readonly HashedFile[];
    readonly globs: readonly HashedGlob[];
    readonly commit?: string | undefined;
  }[];
  readonly idleAfterS: number;
  readonly graceS: number;
}

/** One command: what is asked, by whom, when, and what was seen of the world then. */
export interface Command {
  readonly act: Act;
  readonly actor: Actor;
  /** Wall clock, ms UTC. */
  readonly wall: number;
  readonly seen: Seen;
  readonly key?: string | undefined;
  /** Digest of the act's arguments, to tell a repeat from another use of a key. */
  readonly digest?: string | undefined;
}

/** The cryptography that the kernel is given, since it imports nothing. */
export interface Crypto {
  /** SHA-256 of the text in UTF-8, hex. */
  digest(text: string): string;
  /** Whether the base64 Ed25519 signature over the text is good for the public key (base64 SPKI). */
  verify(publicKey: string, text: string, signature: string): boolean;
}
