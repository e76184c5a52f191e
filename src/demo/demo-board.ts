import { plain } from '../cli/text/plain.ts';
import type { Fields } from './demo-agent.ts';

interface Shown {
  readonly todos: readonly {
    todo: string;
    title: string;
    state: string;
    evidence: readonly string[];
    claim?: { holder: string };
  }[];
  readonly gates: readonly {
    gate: string;
    question: string;
    state: string;
    answer?: { option: string; grade: string; name: string };
  }[];
  readonly evidence: readonly { evidence: string; grade: string; fresh: boolean; summary: string }[];
}

const columns = ['active', 'open', 'blocked', 'deferred', 'done'];

/** The end state on one small board: todos by state, gates with their answers, evidence, quota. */
export function boardText(status: Fields, lists: { readonly [view in keyof Shown]: Fields }): string {
  const { todos } = lists.todos as unknown as Shown;
  const { gates } = lists.gates as unknown as Shown;
  const { evidence } = lists.evidence as unknown as Shown;
  const goal = status.goal as {
    title: string;
    goal: string;
    status: string;
    acceptance: readonly { id: string; state: string }[];
  };
  const { slots } = status.budget as { slots: { allowed: number; spent: number } };
  const rows = [
    ...columns.flatMap((column) =>
      todos
        .filter(({ state }) => state === column)
        .map((todo) => [column, `${todo.todo} ${todo.title}`, todo.claim?.holder ?? todo.evidence.join(' ')]),
    ),
    ...gates.map(({ gate, question, state, answer }) => [
      'gate',
      `${gate} ${question}`,
      answer === undefined ? state : `${answer.option} (${answer.grade}, by ${answer.name})`,
    ]),
    ...evidence.map(({ evidence: id, summary, grade, fresh }) => [
      'evidence',
      `${id} ${summary}`,
      `${grade}, ${fresh ? 'fresh' : 'stale'}`,
    ]),
    ['quota', 'slots of the last 24 h', `${slots.spent} of ${slots.allowed}`],
  ] as unknown as readonly (readonly [string, string, string])[];
  const width = (at: 0 | 1) => Math.min(52, Math.max(...rows.map((row) => row[at].length)));
  const line = ([a, b, c]: readonly [string, string, string]) =>
    `  ${a.padEnd(width(0))}  ${cut(b, width(1)).padEnd(width(1))}  ${c}`.trimEnd();
  const criteria = goal.acceptance.map(({ id, state }) => `${id} ${state}`).join(', ');
  return plain(
    [`  ${goal.title} (${goal.goal}): ${goal.status}; criteria: ${criteria}`, '', ...rows.map(line)].join('\n'),
  );
}

function cut(text: string, chars: number): string {
  return text.length <= chars ? text : `${text.slice(0, chars - 1)}…`;
}
