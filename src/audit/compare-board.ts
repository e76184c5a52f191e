import { gatesIn, momentOf, stateAt, todoStates, todosIn } from './counts.ts';
import { isCutOf, type Tell } from './differences.ts';
import type { Facts, GoalFacts, TodoFacts } from './facts.ts';
import type { Raw } from './read-log.ts';

/** A column shows at most so many cards and says of how many. */
const mostCards = 20;

/** The Markdown board: title and goal, a line for each open gate, a column for each state, the version. */
export function compareBoard(tell: Tell, name: string, shown: Raw, facts: Facts): void {
  const goal = facts.goals.get(name) as GoalFacts;
  const now = momentOf(facts, shown.asOf);
  const [title = '', , objective, , ...lines] = String(shown.board).split('\n');
  const head = /^# (.*) \((.*), (\w+)\)$/.exec(title);
  if (!isCutOf(head?.[1], oneLine(goal.title))) tell.differ('title', title, goal.title);
  tell.same('goal and status', [head?.[2], head?.[3]], [name, goal.status]);
  tell.text('objective', objective, oneLine(goal.objective));
  const gates = lines.flatMap((line) => /^> (G\d+) waits for the owner: /.exec(line)?.[1] ?? []);
  tell.same('open gates', [...gates].sort(), [...gatesIn(facts, name, 'open')].sort());
  const columns = columnsOf(lines);
  for (const state of todoStates) {
    const derived = todosIn(facts, name, state, now).length;
    const column = columns.get(state) ?? { count: 0, saidShown: undefined, cards: [] };
    tell.same(`${state} count`, column.count, derived);
    tell.same(`${state} shown`, column.saidShown, derived > mostCards ? mostCards : undefined);
    tell.same(`${state} cards`, column.cards.length, Math.min(mostCards, derived));
    for (const card of column.cards) compareCard(tell, name, state, card, facts.todos.get(card.todo), now);
  }
  tell.same('version', lines.at(-1), `Version ${shown.version}`);
}

interface Column {
  readonly count: number;
  readonly saidShown: number | undefined;
  readonly cards: Card[];
}

interface Card {
  readonly todo: string;
  readonly priority: string;
  readonly rest: string;
}

function columnsOf(lines: readonly string[]): ReadonlyMap<string, Column> {
  const columns = new Map<string, Column>();
  let column: Column | undefined;
  for (const line of lines) {
    const heading = /^## (\w+) \((?:(\d+) of )?(\d+)\)$/.exec(line);
    const card = /^- \*\*(T\d+)\*\* (\w+) (.*)$/.exec(line);
    if (heading) {
      const [, state = '', shown, count] = heading;
      column = { count: Number(count), saidShown: shown === undefined ? undefined : Number(shown), cards: [] };
      columns.set(state, column);
    } else if (card) {
      const [, todo = '', priority = '', rest = ''] = card;
      column?.cards.push({ todo, priority, rest });
    }
  }
  return columns;
}

function compareCard(
  tell: Tell,
  goal: string,
  state: string,
  card: Card,
  todo: TodoFacts | undefined,
  now: ReturnType<typeof momentOf>,
): void {
  const derived = todo?.goal === goal ? stateAt(todo, now) : undefined;
  tell.same(`${card.todo} column`, state, derived);
  if (!todo) return;
  tell.same(`${card.todo} priority`, card.priority, todo.spec.priority);
  const title = oneLine(todo.spec.title);
  // The title is followed by who holds it and why it waits, where there is such a thing.
  const isTitle = card.rest.startsWith(title) || (title.length > 100 && card.rest.startsWith(title.slice(0, 98)));
  if (!isTitle) tell.differ(`${card.todo} title`, card.rest, title);
  const holder = todo.claim?.holder;
  if (holder !== undefined && !card.rest.includes(` — ${holder}`))
    tell.differ(`${card.todo} holder`, card.rest, holder);
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}
