import { defaultQuota } from './budget.ts';
import type { GoalStart } from './commands.ts';
import { numberedCriteria } from './evolve-goal.ts';
import { slugOf } from './find.ts';
import { limits } from './limits.ts';
import type { Goal, GoalScope, QuotaPolicy } from './model.ts';
import { badArgument, call, type Refused, refuse } from './refusal.ts';
import type { Result, State } from './state.ts';
import { addTodos, checkScope } from './todo-spec.ts';
import type { Work } from './work.ts';

/** goal_start: a new goal with its criteria and todos; the same objective again is the same goal. */
export function startGoal(work: Work, act: GoalStart): Result | Refused {
  const objective = act.objective.trim();
  if (objective === '')
    return badArgument('objective', 'objective says what is to be achieved, e.g. "Make the parser twice as fast".');
  if (act.goal !== undefined && slugOf(act.goal) === '')
    return badArgument('goal', 'goal is a short name of letters, digits and -, e.g. "parser-speed".');
  const known = existing(work.state, act.goal, objective);
  if (known) return same(known, objective);
  const goal =
    act.goal === undefined ? newSlug(work.state, act.title ?? objective) : slugOf(act.goal).slice(0, limits.slugChars);
  const scope = checkScope(act.scope ?? {}, 'scope');
  if ('refusal' in scope) return scope;
  const deny = checkScope({ paths: act.scope?.denyPaths ?? [] }, 'scope.denyPaths');
  if ('refusal' in deny) return deny;
  const quota = checkQuota({ ...defaultQuota, ...defined(act.quota ?? {}) }, 'quota');
  if ('refusal' in quota) return quota;
  const goalScope: GoalScope = { ...scope, denyPaths: deny.paths };
  work.emit({
    type: 'goal.started',
    goal,
    title: act.title?.trim() || headline(objective),
    objective,
    acceptance: numberedCriteria(act.acceptance ?? []),
    nonGoals: act.nonGoals ?? [],
    scope: goalScope,
    quota,
    by: work.agent,
  });
  const todos = addTodos(work, work.state.goals.get(goal) as Goal, act.todos ?? [], 'todos');
  return 'refusal' in todos ? todos : { goal, todos };
}

function existing(state: State, name: string | undefined, objective: string): Goal | undefined {
  if (name !== undefined) return state.goals.get(slugOf(name).slice(0, limits.slugChars));
  return [...state.goals.values()].find(
    (goal) => goal.objective === objective && goal.status !== 'stopped' && goal.status !== 'done',
  );
}

function same(goal: Goal, objective: string): Result | Refused {
  if (goal.objective === objective) return { goal: goal.goal, reused: true };
  return refuse(
    'goal-exists',
    `Goal ${goal.goal} exists with another objective; join it, name yours otherwise, or ask the owner to amend it. Its objective: "${goal.objective}".`,
    { goal: goal.goal, objective: goal.objective, status: goal.status },
    call('goal_status', { goal: goal.goal }, 'join the goal there is'),
    call(
      'gate_ask',
      { goal: goal.goal, kind: 'amendment', question: 'Change the objective?', amendment: { objective } },
      'ask the owner to change it',
    ),
  );
}

function newSlug(state: State, text: string): string {
  const base = slugOf(text).slice(0, 40).replace(/-+$/, '') || 'goal';
  for (let n = 1; ; n++) {
    const slug = n === 1 ? base : `${base}-${n}`;
    if (!state.goals.has(slug)) return slug;
  }
}

function headline(objective: string): string {
  const line = objective.split('\n', 1)[0] as string;
  return line.length <= 80 ? line : `${line.slice(0, 79)}…`;
}

export function defined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as never;
}

const quotaBounds: { readonly [field in keyof QuotaPolicy]-?: readonly [min: number, max: number, example: number] } = {
  windowH: [1 / 3_600_000, limits.windowHMax, 24],
  slotMinutes: [1 / 60, 1_440, 1],
  compute: [0, 1, 1],
  allowedSlots: [0, 1e9, 100],
  tokens: [0, 1e15, 1_000_000],
  usd: [0, 1e9, 50],
  turns: [0, 1e9, 40],
  noProgressLimit: [1, 1_000, 3],
};

export const quotaFields = Object.keys(quotaBounds) as readonly (keyof QuotaPolicy)[];

/** The policy if every number of it can be meant. */
export function checkQuota(quota: QuotaPolicy, field: string): QuotaPolicy | Refused {
  for (const [name, [min, max, example]] of Object.entries(quotaBounds)) {
    const value = quota[name as keyof QuotaPolicy];
    if (value === undefined) continue;
    if (typeof value !== 'number' || !(value >= min && value <= max)) {
      return badArgument(`${field}.${name}`, `${name} is a number from ${Math.ceil(min)} to ${max}, e.g. ${example}.`);
    }
  }
  return quota;
}
