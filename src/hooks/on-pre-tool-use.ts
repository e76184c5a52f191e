import type { RefusedAnswer } from '../state/answer.ts';
import { deedOf } from './deed-of.ts';
import type { HookSaid } from './hook-output.ts';
import { nothing } from './hook-output.ts';
import { callerOf, type HookContext, sessionQuery } from './hook-session.ts';

interface Denied {
  readonly permitted: boolean;
  readonly by: 'state' | 'deny-path' | 'gate' | 'scope';
  readonly what: string;
  readonly rule: string;
  readonly goal: string;
  readonly gate: {
    readonly gate: string;
    readonly state: string;
    readonly question: string;
    readonly howToAnswer: readonly { readonly do: string }[];
  };
  readonly todos: readonly {
    readonly todo: string;
    readonly title: string;
    readonly scope: { readonly paths: readonly string[] };
  }[];
}

/** Denies what the control plane does not permit; for all other calls of tools there is nothing to say. */
export async function onPreToolUse(context: HookContext): Promise<HookSaid> {
  const deed = deedOf(context.call, context.workspace, context.env);
  if (deed === undefined) return nothing;
  const answer = await context.plane.query({ type: 'permit', ...sessionQuery(context), ...deed }, callerOf(context));
  if (!answer.ok) return (deed.writes ?? []).length > 0 ? { kind: 'deny', text: unreadable(answer) } : nothing;
  const found = answer as unknown as Denied;
  return found.permitted ? nothing : { kind: 'deny', text: reason(found) };
}

function reason(denied: Denied): string {
  const { by, what, rule, goal, gate, todos } = denied;
  switch (by) {
    case 'state':
      return `LoopX: ${what} belongs to the control plane; only loopx itself writes there.`;
    case 'deny-path':
      return `LoopX: ${what} is denied by the goal ${goal} (denyPaths: ${rule}). Only the owner can change that; ask with gate_ask, kind amendment.`;
    case 'gate':
      return gate.state === 'open'
        ? `LoopX: gate ${gate.gate} protects ${what} (${rule}) until the owner answers: ${gate.question} How the owner answers: ${waysOf(gate)} Go on with work that the gate does not hold; do not work around it.`
        : `LoopX: the owner said no at gate ${gate.gate}, which protects ${what} (${rule}). Only the owner lifts that: loopx gate lift ${gate.gate}.`;
    case 'scope': {
      const held = todos.map(({ todo, scope }) => `${todo} (${scope.paths.join(', ')})`).join('; ');
      return `LoopX: ${what} is outside the scope of what you hold: ${held}. Work within it, change the scope with todo_update if the todo needs this file, or add a todo for it.`;
    }
  }
}

function waysOf(gate: Denied['gate']): string {
  return gate.howToAnswer.map((way) => `${way.do}.`).join(' Or: ');
}

/** Where it cannot be known what is protected, no file is written; commands may run, so that the store can be mended. */
function unreadable({ code, message }: RefusedAnswer): string {
  return `LoopX cannot read its store (${code}: ${message}), so nobody knows what a gate protects. Nothing is written by tools until \`loopx doctor\` is content.`;
}
