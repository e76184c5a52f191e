import { canonical } from './kernel/canonical.ts';
import type { Act, EvidenceInput } from './kernel/commands.ts';
import { findGoal } from './kernel/find.ts';
import type { State } from './kernel/state.ts';
import { nodeCrypto } from './node-crypto.ts';
import type { Focus } from './world.ts';

/** The evidence that an act brings, in order. */
export function evidenceOf(act: Act): readonly EvidenceInput[] {
  if (act.type === 'evidence.write') return [act];
  return act.type === 'writeback' ? (act.evidence ?? []) : [];
}

/** Tells a repeat of an act from another act under the same key. */
export function digestOf(act: Act): string {
  return nodeCrypto.digest(canonical(act)).slice(0, 32);
}

/** What an act is about, so that no more is looked at than it needs. */
export function focusOf(state: State, act: Act, agent: string): Focus {
  const todo = 'todo' in act && typeof act.todo === 'string' ? act.todo : undefined;
  const gate = 'gate' in act ? state.gates.get(act.gate) : undefined;
  const evidence = act.type === 'evidence.write' ? (act.confirms ?? act.supersedes) : undefined;
  const named = 'goal' in act && typeof act.goal === 'string' ? act.goal : undefined;
  const goal =
    (todo === undefined ? undefined : state.todos.get(todo)?.goal) ??
    gate?.goal ??
    (evidence === undefined ? undefined : state.evidence.get(evidence)?.goal) ??
    goalNamed(state, named);
  return {
    goals: goal === undefined ? [] : [goal],
    todos: todo === undefined ? [] : [todo],
    evidence: evidence === undefined ? [] : [evidence],
    agents: act.type === 'agent.join' ? [...state.agents.keys()] : [agent],
    startsWatch: act.type === 'todo.claim' || act.type === 'quota.claim' || act.type === 'reserve',
  };
}

export function goalNamed(state: State, name: string | undefined): string | undefined {
  const goal = findGoal(state, name);
  return 'refusal' in goal ? undefined : goal.goal;
}

/** Every text in an act, by the path of its field, for the secret scanner. */
export function textsOf(act: Act): { readonly [field: string]: string } {
  const texts: { [field: string]: string } = {};
  const walk = (value: unknown, path: string) => {
    if (typeof value === 'string') {
      if (value.length >= 12 && path !== 'type') texts[path] = value;
    } else if (Array.isArray(value)) {
      for (const [at, item] of value.entries()) walk(item, `${path}[${at}]`);
    } else if (value !== null && typeof value === 'object') {
      for (const [name, field] of Object.entries(value)) walk(field, path === '' ? name : `${path}.${name}`);
    }
  };
  walk(act, '');
  return texts;
}
