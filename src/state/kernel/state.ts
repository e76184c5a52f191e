import type {
  Agent,
  AnswerGrade,
  Evidence,
  Gate,
  Goal,
  Handoff,
  Notice,
  Reservation,
  Todo,
  TodoState,
  Turns,
} from './model.ts';
import { priorities } from './model.ts';
import { Table } from './table.ts';

/** Everything the log says, folded. It is never changed in place: each event makes a new one that shares the rest. */
export interface State {
  readonly version: number;
  /** The random id of the log, '' before the first commit. */
  readonly log: string;
  /** Log time of the last commit, ms; wall time is this less the offset. */
  readonly at: number;
  readonly clockOffsetMs: number;
  readonly goals: Table<Goal>;
  readonly todos: Table<Todo>;
  readonly gates: Table<Gate>;
  readonly evidence: Table<Evidence>;
  readonly handoffs: Table<Handoff>;
  readonly agents: Table<Agent>;
  /** Agents by the session they are bound to. */
  readonly sessions: Table<readonly string[]>;
  /** By `goal/agent`. */
  readonly turns: Table<Turns>;
  /** By `resource agent`. */
  readonly reservations: Table<Reservation>;
  readonly receipts: Table<Receipt>;
  readonly notices: Table<readonly Notice[]>;
  /** What evidence has rested on before, by `goal` and fingerprint. */
  readonly rests: Table<true>;
  readonly owner: { readonly publicKey?: string; readonly minGrade: AnswerGrade };
  readonly counts: {
    readonly todos: number;
    readonly gates: number;
    readonly evidence: number;
    readonly handoffs: number;
  };
  readonly index: Index;
}

/** What was answered to an idempotency key: enough to answer it again. */
export interface Receipt {
  readonly digest: string;
  readonly version: number;
  readonly act: string;
  readonly result: Result;
}

/** The things a command was about, by id; the surfaces make the answer from it and the state. */
export interface Result {
  readonly goal?: string;
  readonly todo?: string;
  readonly todos?: readonly string[];
  readonly gate?: string;
  readonly evidence?: readonly string[];
  readonly successors?: readonly string[];
  readonly handoff?: string;
  readonly agent?: string;
  readonly token?: number;
  readonly spent?: { readonly slots: number; readonly tokens: number; readonly usd: number };
  readonly fallback?: { readonly gate: string; readonly audit: string };
  /** What quota_should_run decided before it claimed. */
  readonly decision?: { readonly decision: string; readonly code: string; readonly why: string };
  readonly challenge?: true;
  readonly resources?: readonly string[];
  readonly reused?: true;
  /** What a repeat had to say: "already answered yes". */
  readonly repeat?: string;
}

/** Worked out from the rest, kept so that no decision has to walk all todos. */
export interface Index {
  readonly goals: Table<GoalIndex>;
  /** Todos that have this one in `after`, and those that have it as parent. */
  readonly dependents: Table<readonly string[]>;
  readonly children: Table<readonly string[]>;
  /** Todos under a claim. */
  readonly active: Table<true>;
}

export interface GoalIndex {
  readonly states: { readonly [state in TodoState]: number };
  /** Open todos whose `after` are all done, by priority. */
  readonly ready: readonly Table<true>[];
  /** Blocked or deferred todos, monitors that are not closed. */
  readonly asleep: Table<true>;
  readonly monitors: Table<true>;
  /** Open todos that a handoff offers to somebody. */
  readonly offers: Table<true>;
  /** Gates that hold something: open ones, and denials not lifted. */
  readonly gates: readonly string[];
  /** Approvals that stand, to be reopened when what they approved changes. */
  readonly approvals: readonly string[];
  /** Passing evidence that speaks for each of the goal's criteria. */
  readonly speaks: { readonly [criterion: string]: Table<true> };
}

export const emptyGoalIndex: GoalIndex = {
  states: { open: 0, active: 0, done: 0, blocked: 0, deferred: 0, dropped: 0 },
  ready: priorities.map(() => Table.numbered<true>()),
  asleep: Table.numbered(),
  monitors: Table.numbered(),
  offers: Table.numbered(),
  gates: [],
  approvals: [],
  speaks: {},
};

export function initialState(): State {
  return {
    version: 0,
    log: '',
    at: 0,
    clockOffsetMs: 0,
    goals: Table.named(),
    todos: Table.numbered(),
    gates: Table.numbered(),
    evidence: Table.numbered(),
    handoffs: Table.numbered(),
    agents: Table.named(),
    sessions: Table.named(),
    turns: Table.named(),
    reservations: Table.named(),
    receipts: Table.named(),
    notices: Table.named(),
    rests: Table.named(),
    owner: { minGrade: 'confirmed' },
    counts: { todos: 0, gates: 0, evidence: 0, handoffs: 0 },
    index: { goals: Table.named(), dependents: Table.numbered(), children: Table.numbered(), active: Table.numbered() },
  };
}

export function goalIndex(state: State, goal: string): GoalIndex {
  return state.index.goals.get(goal) ?? emptyGoalIndex;
}

export function isClosed(todo: Todo): boolean {
  return todo.state === 'done' || todo.state === 'dropped';
}
