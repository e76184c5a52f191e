import { logTimeOf } from './clock.ts';
import type { ScopeInput, TodoSpec } from './commands.ts';
import type { TodoSpecRecord } from './events.ts';
import { numberedCriteria } from './evolve-goal.ts';
import type { Goal, GoalScope, ResumeWhen, Scope, Todo } from './model.ts';
import { badArgument, call, type Refused, refuse } from './refusal.ts';
import { globsOverlap, normalizeGlob, normalizeResource } from './scope.ts';
import type { State } from './state.ts';
import { normalizeAgent } from './who.ts';
import type { Work } from './work.ts';

/** Adds the todos of one call, whole or not at all; answers their ids in order. */
export function addTodos(
  work: Work,
  goal: Goal,
  specs: readonly TodoSpec[],
  field: string,
): readonly string[] | Refused {
  const refs = new Map<string, string>();
  const ids: string[] = [];
  for (const [at, spec] of specs.entries()) {
    const id = `T${work.state.counts.todos + at + 1}`;
    ids.push(id);
    if (spec.ref === undefined) continue;
    if (refs.has(spec.ref))
      return badArgument(`${field}[${at}].ref`, `ref "${spec.ref}" names two todos of this call.`);
    refs.set(spec.ref, id);
  }
  const known = (id: string) => ids.includes(id) || work.state.todos.has(id);
  for (const [at, spec] of specs.entries()) {
    const record = checkSpec(work, goal, spec, `${field}[${at}]`, (name) => refs.get(name.trim()) ?? name, known);
    if ('refusal' in record) return record;
    work.emit({ type: 'todo.added', todo: ids[at] as string, goal: goal.goal, spec: record, by: work.agent });
  }
  for (const [at, id] of ids.entries()) {
    const cycle = cycleFrom(work.state, id);
    if (cycle) return cyclic(`${field}[${at}].after`, cycle);
  }
  return ids;
}

function checkSpec(
  work: Work,
  goal: Goal,
  spec: TodoSpec,
  field: string,
  resolve: (name: string) => string,
  known: (id: string) => boolean,
): TodoSpecRecord | Refused {
  const record: TodoSpecRecord = {
    title: '',
    detail: '',
    kind: 'work',
    priority: 'P2',
    after: [],
    scope: { paths: [], resources: [] },
    capabilities: [],
    excludeAgents: [],
    acceptance: [],
    covers: [],
  };
  if (spec.title.trim() === '')
    return badArgument(`${field}.title`, 'title says what is to be done, e.g. "Profile the parser".');
  const change = checkChange(work, goal, spec, field, resolve, known);
  if ('refusal' in change) return change;
  const whole = { ...record, ...change };
  if (whole.kind === 'monitor' && whole.everyS === undefined) {
    return badArgument(
      `${field}.everyS`,
      'a monitor needs everyS, the seconds between two checks (1 or more), e.g. 300.',
    );
  }
  if (whole.kind !== 'monitor' && (whole.everyS !== undefined || whole.dueAt !== undefined)) {
    return badArgument(`${field}.kind`, 'everyS and dueAt are for todos of kind "monitor".');
  }
  return whole;
}

/** The checked form of the fields that a spec or an update names. */
export function checkChange(
  work: Work,
  goal: Goal,
  spec: Partial<TodoSpec>,
  field: string,
  resolve: (name: string) => string = (name) => name,
  known: (id: string) => boolean = (id) => work.state.todos.has(id),
): Partial<TodoSpecRecord> | Refused {
  const at = (name: string) => (field === '' ? name : `${field}.${name}`);
  const after = spec.after?.map(resolve);
  const unknown = after?.find((id) => !known(id));
  if (unknown !== undefined) return unknownTodo(at('after'), unknown);
  const parent = spec.parent === undefined ? undefined : resolve(spec.parent);
  if (parent !== undefined && !known(parent)) return unknownTodo(at('parent'), parent);
  const scope = spec.scope === undefined ? undefined : checkScope(spec.scope, at('scope'), goal.scope);
  if (scope && 'refusal' in scope) return scope;
  const criteria = goal.acceptance
    .filter((criterion) => criterion.dropped === undefined)
    .map((criterion) => criterion.id);
  const stranger = spec.covers?.find((id) => !criteria.includes(id));
  if (stranger !== undefined) {
    const has = criteria.length === 0 ? 'it has none' : `it has ${criteria.join(', ')}`;
    return badArgument(
      at('covers'),
      `covers names criteria of goal ${goal.goal}, and ${stranger} is none of them: ${has}.`,
    );
  }
  const excludeAgents = spec.excludeAgents?.map((name) => normalizeAgent(name) ?? name.trim());
  const resumeWhen =
    spec.resumeWhen === undefined
      ? undefined
      : checkResume(work, resolved(spec.resumeWhen, resolve), at('resumeWhen'), known);
  if (resumeWhen && 'refusal' in resumeWhen) return resumeWhen;
  const dueAt = spec.dueAt === undefined ? undefined : logTimeOf(work.state, spec.dueAt);
  if (spec.dueAt !== undefined && dueAt === undefined) return noTime(at('dueAt'));
  const change = {
    title: spec.title?.trim(),
    detail: spec.detail,
    kind: spec.kind,
    priority: spec.priority,
    after: after && [...new Set(after)],
    scope,
    capabilities: spec.capabilities?.map((name) => name.trim().toLowerCase()),
    excludeAgents,
    acceptance: spec.acceptance && numberedCriteria(spec.acceptance),
    covers: spec.covers && [...new Set(spec.covers)],
    parent,
    resumeWhen,
    dueAt,
    everyS: spec.everyS,
  };
  return Object.fromEntries(
    Object.entries(change).filter(([, value]) => value !== undefined),
  ) as Partial<TodoSpecRecord>;
}

/** The scope in one spelling, inside what the goal lets anybody touch. */
export function checkScope(input: ScopeInput, field: string, goal?: GoalScope): Scope | Refused {
  const paths: string[] = [];
  for (const [at, text] of (input.paths ?? []).entries()) {
    const normal = normalizeGlob(text);
    if ('problem' in normal) return badArgument(`${field}.paths[${at}]`, `${text} ${normal.problem}, e.g. "src/**".`);
    const denied = goal?.denyPaths.find((deny) => isWithin(normal.glob, deny));
    if (denied !== undefined) {
      return refuse(
        'not-allowed',
        `${normal.glob} lies in ${denied}, which the goal denies to everybody; ask for an amendment.`,
        { field: `${field}.paths[${at}]` },
      );
    }
    paths.push(normal.glob);
  }
  return { paths: [...new Set(paths)], resources: [...new Set((input.resources ?? []).map(normalizeResource))] };
}

/** Whether the glob lies wholly in the denied one, as far as their plain beginnings tell. */
function isWithin(glob: string, deny: string): boolean {
  const plain = deny.replace(/\/\*\*$/, '');
  if (/[*?[\]{}]/.test(plain)) return glob === deny || (!/[*?[\]{}]/.test(glob) && globsOverlap(glob, deny));
  return glob === plain || glob.startsWith(`${plain}/`);
}

export function checkResume(
  work: Work,
  when: ResumeWhen,
  field: string,
  known: (id: string) => boolean = (id) => work.state.todos.has(id),
): ResumeWhen | Refused {
  if ('todoDone' in when && !known(when.todoDone)) return unknownTodo(`${field}.todoDone`, when.todoDone);
  if ('gateAnswered' in when && !work.state.gates.has(when.gateAnswered)) {
    return refuse('not-found', `There is no gate ${when.gateAnswered} to wait for.`, {
      field: `${field}.gateAnswered`,
      id: when.gateAnswered,
    });
  }
  if ('at' in when && logTimeOf(work.state, when.at) === undefined) return noTime(`${field}.at`);
  return when;
}

function resolved(when: ResumeWhen, resolve: (name: string) => string): ResumeWhen {
  return 'todoDone' in when ? { todoDone: resolve(when.todoDone) } : when;
}

function noTime(field: string): Refused {
  return badArgument(field, 'give a time as ISO 8601, e.g. "2030-01-31T09:00:00Z".');
}

function unknownTodo(field: string, id: string): Refused {
  return refuse(
    'not-found',
    `${field} names ${id}, and there is no such todo.`,
    { field, id },
    call('goal_status', { view: 'todos' }, 'the todos there are'),
  );
}

/** A way from the todo back to itself by `parent`, or by what must be done first; undefined where there is none. */
export function cycleFrom(state: State, start: string): readonly string[] | undefined {
  for (const step of ['after', 'parent'] as const) {
    const walk: (readonly string[])[] = [[start]];
    const seen = new Set<string>();
    for (let path = walk.pop(); path; path = walk.pop()) {
      const todo = state.todos.get(path[path.length - 1] as string);
      const above = step === 'after' ? firstDone(todo) : todo?.parent === undefined ? [] : [todo.parent];
      for (const id of above) {
        if (id === start) return [...path, id];
        if (seen.has(id)) continue;
        seen.add(id);
        walk.push([...path, id]);
      }
    }
  }
  return undefined;
}

function firstDone(todo: Todo | undefined): readonly string[] {
  const when = todo?.resumeWhen;
  return [...(todo?.after ?? []), ...(when && 'todoDone' in when ? [when.todoDone] : [])];
}

export function cyclic(field: string, cycle: readonly string[]): Refused {
  return badArgument(field, `${cycle.join(' waits for ')}: nothing could ever begin; leave one of them out.`);
}
