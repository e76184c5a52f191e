import type { AuditCommit, AuditEvent } from './read-lines.ts';

export interface DerivedTodo {
  goal: string;
  state: string;
  holder?: string | undefined;
  token?: number | undefined;
  resumeAt?: number | undefined;
  isDenied?: boolean;
}

export interface DerivedGate {
  goal: string;
  state: string;
  option?: string | undefined;
  grade?: string | undefined;
}

/** The facts of a workspace as the log's events tell them, by a fold of the audit's own. */
export interface Derived {
  readonly version: number;
  readonly goals: Map<string, { status: string; objective: string; windowMs: number }>;
  readonly todos: Map<string, DerivedTodo>;
  readonly gates: Map<string, DerivedGate>;
  readonly evidence: Map<string, { goal: string; result: string }>;
  readonly spends: { goal: string; at: number; slots: number }[];
}

export function derive(commits: readonly AuditCommit[]): Derived {
  const facts: Derived = {
    version: commits.length,
    goals: new Map(),
    todos: new Map(),
    gates: new Map(),
    evidence: new Map(),
    spends: [],
  };
  for (const commit of commits) for (const event of commit.events) take(facts, event, commit);
  return facts;
}

function take(facts: Derived, event: AuditEvent, commit: AuditCommit): void {
  const [thing] = event.type.split('.');
  if (thing === 'goal') takeGoal(facts, event);
  else if (thing === 'todo' || thing === 'claim' || thing === 'monitor' || event.type === 'handoff.offered')
    takeTodo(facts, event, commit);
  else if (thing === 'gate') takeGate(facts, event);
  else if (event.type === 'evidence.written') {
    facts.evidence.set(event.evidence, { goal: event.record.goal, result: event.record.result });
  } else if (event.type === 'quota.spent') {
    facts.spends.push({ goal: event.goal, at: Date.parse(commit.at), slots: event.spend.slots });
  }
}

function takeGoal(facts: Derived, event: AuditEvent): void {
  const goal = facts.goals.get(event.goal);
  if (event.type === 'goal.started') {
    facts.goals.set(event.goal, {
      status: 'active',
      objective: event.objective,
      windowMs: event.quota.windowH * 3_600_000,
    });
  } else if (goal && event.type === 'goal.amended') {
    goal.objective = event.amendment.objective ?? goal.objective;
    if (event.amendment.quota?.windowH !== undefined) goal.windowMs = event.amendment.quota.windowH * 3_600_000;
  } else if (goal) {
    const status = {
      'goal.paused': 'paused',
      'goal.resumed': 'active',
      'goal.stopped': 'stopped',
      'goal.done': 'done',
    }[event.type];
    if (status !== undefined) goal.status = status;
  }
}

function takeTodo(facts: Derived, event: AuditEvent, commit: AuditCommit): void {
  const id: string = event.todo ?? event.record?.todo;
  const at = (when: { at?: string } | undefined) => (when?.at === undefined ? undefined : Date.parse(when.at));
  if (event.type === 'todo.added') {
    const isAsleep = event.spec.resumeWhen !== undefined;
    facts.todos.set(id, {
      goal: event.goal,
      state: isAsleep ? 'deferred' : 'open',
      resumeAt: at(event.spec.resumeWhen),
    });
    return;
  }
  const todo = facts.todos.get(id);
  if (!todo) return;
  const rest = (state: string) =>
    Object.assign(todo, { state, holder: undefined, token: undefined, resumeAt: undefined, isDenied: false });
  switch (event.type) {
    case 'claim.granted':
      Object.assign(rest('active'), { holder: event.agent, token: commit.version });
      break;
    case 'todo.opened':
    case 'handoff.offered':
    case 'monitor.reported':
      rest('open');
      break;
    case 'todo.done':
    case 'todo.dropped':
      rest(event.type.slice('todo.'.length));
      break;
    case 'todo.blocked':
    case 'todo.deferred':
      Object.assign(rest(event.type.slice('todo.'.length)), {
        resumeAt: at(event.resumeWhen),
        isDenied: event.deniedBy !== undefined,
      });
      break;
    case 'todo.changed':
      if (event.change.resumeWhen !== undefined) todo.resumeAt = at(event.change.resumeWhen);
      break;
  }
}

function takeGate(facts: Derived, event: AuditEvent): void {
  if (event.type === 'gate.asked') facts.gates.set(event.gate, { goal: event.goal, state: 'open' });
  const gate = facts.gates.get(event.gate);
  if (!gate) return;
  if (event.type === 'gate.answered')
    Object.assign(gate, { state: 'answered', option: event.answer.option, grade: event.answer.grade });
  if (event.type === 'gate.reopened') Object.assign(gate, { state: 'open', option: undefined, grade: undefined });
  if (event.type === 'gate.withdrawn' || event.type === 'gate.lifted') gate.state = 'withdrawn';
  if (event.type === 'gate.superseded') gate.state = 'superseded';
}

/** The state that a reader sees at `now`: a sleeper whose time has come is open, save what the owner denied. */
export function stateAt(todo: DerivedTodo, now: number): string {
  const isAsleep = todo.state === 'blocked' || todo.state === 'deferred';
  return isAsleep && !todo.isDenied && todo.resumeAt !== undefined && todo.resumeAt <= now ? 'open' : todo.state;
}
