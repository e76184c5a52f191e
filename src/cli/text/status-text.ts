import type { OkAnswer } from '../../state/answer.ts';
import { showAnswer, withFoot } from './answer-text.ts';
import { plain } from './plain.ts';

interface Summary {
  readonly goal: {
    readonly goal: string;
    readonly title: string;
    readonly objective: string;
    readonly status: string;
    readonly acceptance: readonly { id: string; text: string; state: string; evidence?: string; grade?: string }[];
  };
  readonly counts: { readonly todos: { readonly [state: string]: number } };
  readonly attention: readonly { readonly text: string }[];
  readonly gates: readonly { gate: string; question: string; options: readonly string[] }[];
  readonly claims: readonly { todo: string; title: string; holder: string; standing: string; expiresAt: string }[];
  readonly top: readonly { todo: string; title: string; priority: string }[];
  readonly budget?: { readonly slots?: { readonly allowed: number; readonly spent: number } };
  readonly workspace?: string;
}

/** Where a goal stands, on one screen: what needs the owner first. Other views are shown as they are. */
export function statusText(answer: OkAnswer): string {
  if (typeof answer.goal !== 'object' || !Array.isArray(answer.attention)) return showAnswer(answer);
  const { goal, counts, attention, gates, claims, top, budget, workspace } = answer as unknown as Summary;
  const todos = Object.entries(counts.todos).filter(([, count]) => count > 0);
  const lines = [
    `${goal.title} (${goal.goal}): ${goal.status}`,
    ...(goal.objective === goal.title ? [] : [goal.objective]),
    '',
    ...section(
      'Criteria',
      goal.acceptance.map(
        (one) => `${one.id} ${one.state}${one.evidence ? ` by ${one.evidence} (${one.grade})` : ''}: ${one.text}`,
      ),
    ),
    ...section(
      'Waits for the owner',
      gates.map(
        ({ gate, question, options }) => `${gate} ${question}\n    loopx gate answer ${gate} ${options.join('|')}`,
      ),
    ),
    ...section(
      'Needs a look',
      attention.map(({ text }) => text).filter((text) => !gates.some(({ gate }) => text.startsWith(`${gate} `))),
    ),
    ...section(
      'Runs',
      claims.map(
        ({ todo, title, holder, standing, expiresAt }) =>
          `${todo} ${title}: ${holder} (${standing}, until ${expiresAt})`,
      ),
    ),
    ...section(
      'Next',
      top.map(({ todo, title, priority }) => `${todo} ${priority} ${title}`),
    ),
    `Todos: ${todos.map(([state, count]) => `${count} ${state}`).join(', ') || 'none'}`,
    ...(budget?.slots === undefined ? [] : [`Quota: ${budget.slots.spent} of ${budget.slots.allowed} slots spent`]),
    ...(workspace === undefined ? [] : [`Workspace: ${workspace}`]),
  ];
  return withFoot(plain(lines.join('\n')), answer);
}

function section(title: string, items: readonly string[]): readonly string[] {
  return items.length === 0 ? [] : [`${title}:`, ...items.map((item) => `  ${item}`), ''];
}
