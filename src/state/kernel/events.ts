import type { Sighting } from './commands.ts';
import type {
  Amendment,
  AnswerGrade,
  Criterion,
  Evidence,
  Gate,
  GateAnswer,
  GoalScope,
  Handoff,
  NoticeCode,
  QuotaPolicy,
  ResumeWhen,
  Spend,
  Todo,
} from './model.ts';

/** Everything that can have happened. What a fold can work out (times, versions, who) is not repeated in the data. */
export type Event =
  | {
      readonly type: 'agent.joined';
      readonly agent: string;
      readonly session: string;
      readonly sessionKind: 'mcp' | 'cli';
      readonly host: string;
      readonly hostSession?: string;
      readonly capabilities?: readonly string[];
      readonly role?: string;
      readonly note?: string;
      readonly fenced?: string;
    }
  | {
      readonly type: 'goal.started';
      readonly goal: string;
      readonly title: string;
      readonly objective: string;
      readonly acceptance: readonly Criterion[];
      readonly nonGoals: readonly string[];
      readonly scope: GoalScope;
      readonly quota: QuotaPolicy;
      readonly by: string;
    }
  | {
      readonly type: 'goal.amended';
      readonly goal: string;
      readonly amendment: Amendment;
      readonly gate?: string;
      readonly words?: string;
    }
  | { readonly type: 'goal.paused' | 'goal.resumed' | 'goal.stopped'; readonly goal: string; readonly words?: string }
  | { readonly type: 'goal.done'; readonly goal: string; readonly gate: string }
  | { readonly type: 'goal.lesson-given'; readonly goal: string; readonly text: string }
  | {
      readonly type: 'todo.added';
      readonly todo: string;
      readonly goal: string;
      readonly spec: TodoSpecRecord;
      readonly by: string;
    }
  | {
      readonly type: 'todo.changed';
      readonly todo: string;
      readonly change: Partial<TodoSpecRecord>;
      readonly by: string;
    }
  | { readonly type: 'todo.noted'; readonly todo: string; readonly by: string; readonly text: string }
  | {
      readonly type: 'todo.opened';
      readonly todo: string;
      readonly why: 'released' | 'resumed' | 'reopened' | 'lifted' | 'declined' | 'reported';
    }
  | { readonly type: 'todo.done'; readonly todo: string }
  | { readonly type: 'todo.dropped'; readonly todo: string; readonly reason: string }
  | {
      readonly type: 'todo.blocked';
      readonly todo: string;
      readonly reason: string;
      readonly resumeWhen?: ResumeWhen;
      readonly deniedBy?: string;
    }
  | { readonly type: 'todo.deferred'; readonly todo: string; readonly reason: string; readonly resumeWhen?: ResumeWhen }
  | {
      readonly type: 'claim.granted';
      readonly todo: string;
      readonly agent: string;
      readonly session: string;
      readonly ttlS: number;
      readonly fallback?: { readonly gate: string; readonly audit: string };
    }
  | {
      readonly type: 'claim.taken-over';
      readonly todo: string;
      readonly from: string;
      readonly to: string;
      readonly why: string;
      readonly seen: Partial<Sighting>;
    }
  | { readonly type: 'claim.renewed'; readonly todo: string; readonly session: string; readonly ttlS?: number }
  | { readonly type: 'claim.settled'; readonly todo: string; readonly session: string }
  | { readonly type: 'claim.challenged'; readonly todo: string; readonly by: string; readonly graceS: number }
  | {
      readonly type: 'gate.asked';
      readonly gate: string;
      readonly goal: string;
      readonly asked: GateRecord;
      readonly by: string;
    }
  | {
      readonly type: 'gate.answered';
      readonly gate: string;
      readonly answer: Omit<GateAnswer, 'at'>;
      readonly signature?: string;
      readonly signedAt?: string;
    }
  | { readonly type: 'gate.reopened'; readonly gate: string; readonly subjectDigest: string; readonly why: string }
  | { readonly type: 'gate.withdrawn' | 'gate.superseded'; readonly gate: string; readonly why: string }
  | { readonly type: 'gate.lifted'; readonly gate: string; readonly words: string }
  | {
      readonly type: 'todo.choice-made';
      readonly todo: string;
      readonly gate: string;
      readonly option: string;
      readonly label: string;
      readonly words: string;
    }
  | { readonly type: 'evidence.written'; readonly evidence: string; readonly record: EvidenceRecord }
  | { readonly type: 'evidence.confirmed'; readonly evidence: string; readonly agent: string; readonly session: string }
  | { readonly type: 'evidence.accepted'; readonly evidence: string; readonly name: string }
  | {
      readonly type: 'turn.written-back';
      readonly goal: string;
      readonly todo?: string;
      readonly agent: string;
      readonly outcome: string;
      readonly summary: string;
      readonly nextAction?: string;
      readonly isProgress: boolean;
    }
  | {
      readonly type: 'quota.spent';
      readonly goal: string;
      readonly agent: string;
      readonly spend: Omit<Spend, 'at'>;
      readonly todo?: string;
      readonly reason?: string;
    }
  | {
      readonly type: 'handoff.offered';
      readonly handoff: string;
      readonly record: Omit<Handoff, 'handoff' | 'at' | 'state' | 'version' | 'takenBy'>;
    }
  | { readonly type: 'handoff.accepted'; readonly handoff: string; readonly agent: string }
  | { readonly type: 'handoff.declined' | 'handoff.ended'; readonly handoff: string; readonly agent?: string }
  | {
      readonly type: 'monitor.reported';
      readonly todo: string;
      readonly agent: string;
      readonly changed: boolean;
      readonly observation?: string;
      readonly intervalS: number;
      readonly nextDueS: number;
    }
  | {
      readonly type: 'reservation.granted';
      readonly resource: string;
      readonly mode: 'exclusive' | 'shared';
      readonly agent: string;
      readonly session: string;
      readonly ttlS: number;
      readonly goal?: string;
      readonly hasWitness?: true;
    }
  | {
      readonly type: 'reservation.renewed';
      readonly resource: string;
      readonly agent: string;
      readonly session: string;
      readonly ttlS: number;
    }
  | { readonly type: 'reservation.released'; readonly resource: string; readonly agent: string; readonly why: string }
  | {
      readonly type: 'notice.sent';
      readonly agent: string;
      readonly code: NoticeCode;
      readonly text: string;
      readonly todo?: string;
      readonly gate?: string;
    }
  | { readonly type: 'owner.key-set'; readonly publicKey: string }
  | { readonly type: 'owner.min-grade-set'; readonly minGrade: AnswerGrade }
  | { readonly type: 'clock.corrected'; readonly byMs: number }
  | { readonly type: 'segment.sealed' };

export type EventType = Event['type'];

/** A todo as it was specified, checked and complete. */
export type TodoSpecRecord = Pick<
  Todo,
  | 'title'
  | 'detail'
  | 'kind'
  | 'priority'
  | 'after'
  | 'scope'
  | 'capabilities'
  | 'excludeAgents'
  | 'acceptance'
  | 'covers'
> & {
  readonly parent?: string;
  readonly resumeWhen?: ResumeWhen;
  readonly dueAt?: number;
  readonly everyS?: number;
};

export type GateRecord = Pick<
  Gate,
  'kind' | 'question' | 'options' | 'blocks' | 'protects' | 'context' | 'evidence' | 'subjectDigest'
> & {
  readonly recommend?: string;
  readonly minGrade?: AnswerGrade;
  readonly amendment?: Amendment;
};

export type EvidenceRecord = Omit<Evidence, 'evidence' | 'confirmedBy' | 'at' | 'version' | 'supersededBy'>;
