import { openGates } from '../kernel/gate-hold.ts';
import type { Goal, Todo } from '../kernel/model.ts';
import { byRank } from '../kernel/runnable.ts';
import type { View } from '../kernel/view.ts';
import { cut } from './shape.ts';
import { stateNow } from './todo-view.ts';

const columns = ['active', 'open', 'blocked', 'deferred', 'done', 'dropped'] as const;

/** As many cards of a column as fit a screen; the heading says how many there are. */
const mostCards = 20;

/** The goal as a Markdown kanban board. */
export function boardOf(view: View, goal: Goal): string {
  const title = cut(oneLine(goal.title), 100);
  const lines = [`# ${title} (${goal.goal}, ${goal.status})`, '', cut(oneLine(goal.objective), 400), ''];
  for (const gate of openGates(view.state, goal.goal))
    lines.push(`> ${gate.gate} waits for the owner: ${cut(oneLine(gate.question), 200)}`, '');
  const todos = [...view.state.todos.values()].filter((todo) => todo.goal === goal.goal);
  for (const column of columns) {
    const cards = todos.filter((todo) => stateNow(view, todo) === column).sort(byRank);
    if (cards.length === 0) continue;
    lines.push(`## ${column} (${cards.length > mostCards ? `${mostCards} of ` : ''}${cards.length})`, '');
    for (const todo of cards.slice(0, mostCards)) lines.push(card(todo));
    lines.push('');
  }
  lines.push(`Version ${view.state.version}`);
  return lines.join('\n');
}

function card(todo: Todo): string {
  const who = todo.claim ? ` — ${todo.claim.holder}` : '';
  const why = todo.reason === undefined ? '' : ` (${cut(oneLine(todo.reason), 80)})`;
  return `- **${todo.todo}** ${todo.priority} ${cut(oneLine(todo.title), 100)}${who}${why}`;
}

/** Text of agents on one line, so that none of it can pass for a heading or a card of the board. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}
