import { canonical } from './canonical.ts';
import type { OwnerAct } from './commands.ts';
import { criteriaOf, type Freshness, gradeOf } from './freshness.ts';
import type { Amendment, Gate } from './model.ts';
import type { State } from './state.ts';

type Subject = Pick<Gate, 'kind' | 'goal' | 'blocks' | 'protects'> & { readonly amendment?: Amendment | undefined };

/**
 * What exactly a gate's answer is about, as one text to be digested: the blocked todos' title, detail, scope and
 * criteria, the protected scope, the amendment; never states, notes or claims.
 */
export function subjectText(state: State, gate: Subject): string {
  const todos = gate.blocks.todos.map((id) => {
    const todo = state.todos.get(id);
    return todo && { todo: id, title: todo.title, detail: todo.detail, scope: todo.scope, acceptance: todo.acceptance };
  });
  const goal = state.goals.get(gate.goal);
  const whole =
    gate.blocks.goal || gate.kind === 'completion'
      ? { objective: goal?.objective, acceptance: goal?.acceptance }
      : undefined;
  return canonical({
    goal: gate.goal,
    kind: gate.kind,
    todos,
    whole,
    protects: gate.protects,
    amendment: gate.amendment,
  });
}

/** What a signature signs: everything that makes the answer this answer and no other. */
export function signedText(log: string, gate: Gate, option: string, at: string): string {
  return canonical({
    log,
    gate: gate.gate,
    revision: gate.revision,
    digest: gate.subjectDigest,
    question: gate.question,
    options: gate.options,
    option,
    at,
  });
}

/** What a signature under any other act of the owner signs; of an act about a gate also which one exactly. */
export function signedActText(log: string, act: OwnerAct, gate: Gate | undefined, at: string): string {
  return canonical({ log, act, ...(gate && { revision: gate.revision, digest: gate.subjectDigest }), at });
}

/** Each criterion with the grade of its evidence, for the owner to judge whether the goal is done. */
export function completionContext(now: Freshness, goal: string): string {
  const lines = criteriaOf(now, goal).map((criterion) => {
    const standing = criterion.evidence
      ? `met by ${criterion.evidence.evidence}, grade ${gradeOf(criterion.evidence)}`
      : criterion.state;
    return `${criterion.criterion} ${criterion.text}: ${standing}`;
  });
  return lines.length > 0 ? lines.join('\n') : 'The goal has no criteria of its own; its last open todo is done.';
}

/** What each option brings about, in the kernel's own words. */
export function consequenceOf(gate: Gate, key: string): string {
  const option = gate.options.find((one) => one.key === key);
  if (!option) return '';
  const held = gate.blocks.goal ? 'the whole goal' : gate.blocks.todos.join(', ') || undefined;
  if (gate.kind === 'completion') {
    return option.effect === 'approve'
      ? `goal ${gate.goal} is done`
      : `goal ${gate.goal} goes on; your words tell what is missing`;
  }
  if (gate.kind === 'amendment') {
    return option.effect === 'approve'
      ? `goal ${gate.goal} is changed exactly as shown`
      : `goal ${gate.goal} stays as it is`;
  }
  if (option.effect === 'approve') return held ? `${held} may go on` : 'the agents go on';
  if (option.effect === 'deny') return held ? `${held} is blocked until you lift it` : 'the agents are told no';
  return held ? `${held} may go on, with this choice` : 'the agents are told this choice';
}

/** The difference an amendment makes, one line each, above whatever the agent says about it. */
export function amendmentLines(state: State, name: string, amendment: Amendment): readonly string[] {
  const goal = state.goals.get(name);
  if (!goal) return [];
  const lines: string[] = [];
  if (amendment.title !== undefined) lines.push(`title: ${goal.title} → ${amendment.title}`);
  if (amendment.objective !== undefined) lines.push(`objective: ${goal.objective} → ${amendment.objective}`);
  for (const text of amendment.addAcceptance ?? []) lines.push(`new criterion: ${text}`);
  for (const id of amendment.dropAcceptance ?? []) {
    lines.push(`drop criterion ${id}: ${goal.acceptance.find((criterion) => criterion.id === id)?.text ?? ''}`);
  }
  if (amendment.nonGoals) lines.push(`non-goals: ${goal.nonGoals.join('; ')} → ${amendment.nonGoals.join('; ')}`);
  for (const [field, value] of Object.entries(amendment.scope ?? {})) {
    lines.push(`scope ${field}: ${goal.scope[field as keyof typeof goal.scope].join(', ')} → ${value.join(', ')}`);
  }
  for (const [field, value] of Object.entries(amendment.quota ?? {})) {
    lines.push(`quota ${field}: ${goal.quota[field as keyof typeof goal.quota] ?? 'none'} → ${value}`);
  }
  return lines;
}
