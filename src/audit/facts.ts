import type { Raw } from './read-log.ts';

/** What the audit remembers of a workspace: plain records in maps, by id. Times are milliseconds of the log's clock. */
export interface Facts {
  version: number;
  /** Random id of the log, by its first commit. */
  log: string;
  /** Time of the last commit, and by how much the log's clock is ahead of people's. */
  at: number;
  offsetMs: number;
  owner: { publicKey: string | undefined; minGrade: string };
  readonly goals: Map<string, GoalFacts>;
  readonly todos: Map<string, TodoFacts>;
  readonly gates: Map<string, GateFacts>;
  readonly evidence: Map<string, EvidenceFacts>;
  readonly handoffs: Map<string, string>;
  /** Session by agent. */
  readonly agents: Map<string, string>;
  /** How many commits are about a goal, by `goal` and by `goal kind`; those about no goal count for all, under ''. */
  readonly commitCounts: Map<string, number>;
  /** Answers that came with a signature, and of those the ones whose signature is good. */
  readonly signatures: { checked: number; good: number };
  readonly breaches: Breach[];
}

/** Something in the log that the rules forbid, though the bytes are whole. */
interface Breach {
  readonly version: number;
  /** Which event of which thing. */
  readonly fact: string;
  readonly shown: string;
  readonly rule: string;
}

export interface GoalFacts {
  status: string;
  title: string;
  objective: string;
  objectiveVersion: number;
  acceptance: readonly { readonly id: string; readonly text: string; readonly dropped?: string }[];
  quota: Raw;
  readonly spends: SpendFacts[];
  /** The longest stretch (ms) whose spends the control plane may have summed into one. */
  partMs: number;
}

export interface SpendFacts {
  readonly at: number;
  readonly slots: number;
  readonly tokens: number;
  readonly usd: number;
  readonly turns: number;
}

export interface TodoFacts {
  readonly goal: string;
  /** As it was specified and changed: title, detail, kind, priority, after, scope, acceptance … */
  spec: Raw;
  state: string;
  claim: { readonly holder: string; readonly token: number; ttlS: number } | undefined;
  /** Whose claim was taken from them and not granted to anybody yet. */
  takenFrom: string | undefined;
  /** Wall clock (ms) at which it wakes by itself. */
  wakesAt: number | undefined;
  isDenied: boolean;
  readonly evidence: string[];
  version: number;
}

export interface GateFacts {
  readonly goal: string;
  /** As it was asked: kind, question, options, blocks, protects … */
  readonly asked: Raw;
  state: string;
  revision: number;
  digest: string;
  answer: Raw;
  version: number;
}

export interface EvidenceFacts {
  readonly goal: string;
  readonly record: Raw;
  readonly at: number;
  supersededBy: string | undefined;
  confirmations: number;
  acceptedBy: string | undefined;
  version: number;
}

export function noFacts(): Facts {
  return {
    version: 0,
    log: '',
    at: 0,
    offsetMs: 0,
    owner: { publicKey: undefined, minGrade: 'confirmed' },
    goals: new Map(),
    todos: new Map(),
    gates: new Map(),
    evidence: new Map(),
    handoffs: new Map(),
    agents: new Map(),
    commitCounts: new Map(),
    signatures: { checked: 0, good: 0 },
    breaches: [],
  };
}
