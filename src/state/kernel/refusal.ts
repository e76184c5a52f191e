/** Every way the control plane says no. An *answer* is the control plane doing its job; an *error* is a call gone wrong. */
export const refusalSorts = {
  'no-goal': 'answer',
  'goal-exists': 'answer',
  'goal-paused': 'answer',
  'claim-held': 'answer',
  'todo-blocked': 'answer',
  'nothing-runnable': 'answer',
  'gate-pending': 'answer',
  reserved: 'answer',
  throttled: 'answer',
  'turn-unsettled': 'answer',
  'quota-exhausted': 'answer',
  'goal-done': 'answer',
  'goal-stopped': 'answer',
  'bad-argument': 'error',
  'goal-ambiguous': 'error',
  'not-found': 'error',
  'claim-lost': 'error',
  'agent-in-use': 'error',
  'not-allowed': 'error',
  'key-reused': 'error',
  'evidence-missing': 'error',
  'nothing-to-spend': 'error',
  overspent: 'error',
  'no-workspace': 'error',
  'store-read-only': 'error',
  'store-damaged': 'error',
  'store-replaced': 'error',
  'store-busy': 'error',
  'newer-format': 'error',
  'outcome-unknown': 'error',
  'too-large': 'error',
} as const;

export type RefusalCode = keyof typeof refusalSorts;

/** A call that would help: a tool of this server with arguments that fit it. */
export interface NextCall {
  readonly tool: string;
  readonly arguments: { readonly [name: string]: unknown };
  readonly why: string;
}

export interface Refusal {
  readonly code: RefusalCode;
  /** One sentence: what failed, how things stand, what to do. */
  readonly message: string;
  readonly details: { readonly [name: string]: unknown };
  readonly next: readonly NextCall[];
}

export interface Refused {
  readonly refusal: Refusal;
}

export function refuse(
  code: RefusalCode,
  message: string,
  details: Refusal['details'] = {},
  ...next: readonly NextCall[]
): Refused {
  return { refusal: { code, message, details, next } };
}

export function badArgument(field: string, message: string, ...next: readonly NextCall[]): Refused {
  return refuse('bad-argument', message, { field }, ...next);
}

export function call(tool: string, args: NextCall['arguments'], why: string): NextCall {
  return { tool, arguments: args, why };
}
