import { createHash, createPublicKey, verify } from 'node:crypto';
import type { Facts, GateFacts } from './facts.ts';

/** One text for one meaning: JSON with its keys in order and without absent fields. */
export function oneText(value: unknown): string {
  return JSON.stringify(ordered(value)) ?? 'null';
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => ordered(item ?? null));
  if (value === null || typeof value !== 'object') return value;
  const fields = value as { readonly [key: string]: unknown };
  // Keys that look like numbers would come first whatever the order they are set in; none of ours do.
  return Object.fromEntries(
    Object.keys(fields)
      .sort()
      .map((key) => [key, ordered(fields[key])]),
  );
}

/** SHA-256 (hex) over what a gate is about, as the log has it now. */
export function subjectDigest(facts: Facts, gate: Pick<GateFacts, 'goal' | 'asked'>): string {
  const { kind, blocks, protects, amendment } = gate.asked;
  const goal = facts.goals.get(gate.goal);
  const todos = blocks.todos.map((id: string) => {
    const spec = facts.todos.get(id)?.spec;
    return spec && { todo: id, title: spec.title, detail: spec.detail, scope: spec.scope, acceptance: spec.acceptance };
  });
  const isWhole = blocks.goal || kind === 'completion';
  const whole = isWhole ? { objective: goal?.objective, acceptance: goal?.acceptance } : undefined;
  const text = oneText({ goal: gate.goal, kind, todos, whole, protects, amendment });
  return createHash('sha256').update(text).digest('hex');
}

/** Whether the owner's key in the log signed exactly this answer to this gate as it was asked then. */
export function isAnswerSigned(facts: Facts, id: string, gate: GateFacts, event: GateAnswered): boolean {
  const { question, options } = gate.asked;
  const { revision, digest } = gate;
  const { option } = event.answer;
  const text = oneText({ log: facts.log, gate: id, revision, digest, question, options, option, at: event.signedAt });
  try {
    const key = { key: Buffer.from(facts.owner.publicKey ?? '', 'base64'), format: 'der', type: 'spki' } as const;
    return verify(null, Buffer.from(text), createPublicKey(key), Buffer.from(event.signature ?? '', 'base64'));
  } catch {
    // A key or signature that cannot be read verifies nothing.
    return false;
  }
}

export interface GateAnswered {
  readonly answer: {
    readonly option: string;
    readonly effect: string;
    readonly channel: string;
    readonly grade: string;
  };
  readonly signature?: string;
  readonly signedAt?: string;
}
