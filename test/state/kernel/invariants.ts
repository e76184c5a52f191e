import assert from 'node:assert/strict';
import type { Actor } from '../../../src/state/kernel/commands.ts';
import type { Event } from '../../../src/state/kernel/events.ts';
import type { CommitFacts } from '../../../src/state/kernel/evolve.ts';
import type { Evidence, Gate, Todo } from '../../../src/state/kernel/model.ts';
import { scopesOverlap } from '../../../src/state/kernel/scope.ts';
import type { State } from '../../../src/state/kernel/state.ts';

/** One commit with the state it was decided on and the state it made. */
export interface Step {
  readonly before: State;
  readonly after: State;
  readonly commit: CommitFacts;
  readonly actor: Actor;
  /** Present contents of the files that evidence rests on. */
  readonly files: { readonly [path: string]: string | null };
}

/** What every commit must keep, worked out from the states by other ways than the kernel's own. */
export function checkCommit(step: Step): void {
  const { before, after, commit } = step;
  assert(commit.at >= before.at, 'time went back');
  assert.equal(after.version, before.version + 1);
  for (const [at, event] of commit.events.entries()) {
    if (event.type === 'claim.granted') checkGrant(step, event.todo);
    if (event.type === 'todo.done') checkDone(step, event.todo);
    if (event.type === 'quota.spent') checkSpent(step, event.goal);
    checkHolder(step, event, commit.events.slice(0, at));
  }
  checkLeases(after);
}

/** Tokens only grow, a grant's token is its commit's version, and nothing gated ever runs. */
function checkGrant({ before, after, commit }: Step, id: string): void {
  const claim = (after.todos.get(id) as Todo).claim;
  assert.equal(claim?.token, commit.version);
  assert(commit.version > (before.todos.get(id)?.claim?.token ?? 0), `the token of ${id} did not grow`);
  assert.deepEqual(gatesOver(before, before.todos.get(id) as Todo), [], `${id} runs under a gate`);
  assert.equal(after.goals.get(after.todos.get(id)?.goal ?? '')?.status, 'active');
}

/** Done implies fresh passing evidence for each criterion at that moment, no gate over it, and a holder who says so. */
function checkDone({ before, after, commit, files }: Step, id: string): void {
  const todo = after.todos.get(id) as Todo;
  assert.deepEqual(gatesOver(before, before.todos.get(id) as Todo), [], `${id} was finished under a gate`);
  assert.equal(before.todos.get(id)?.claim?.holder, commit.agent);
  const isGood = (evidence: Evidence) =>
    evidence.result === 'pass' &&
    evidence.supersededBy === undefined &&
    commit.at - evidence.at <= (evidence.validForS ?? Number.POSITIVE_INFINITY) * 1_000 &&
    evidence.files.every((file) => files[file.path] === file.sha256);
  const good = todo.evidence.map((one) => after.evidence.get(one) as Evidence).filter(isGood);
  assert(good.length > 0, `${id} is done without evidence`);
  for (const { id: criterion } of todo.acceptance) {
    const speaks = good.some((one) => one.criteriaBelongTo === 'todo' && one.criteria.includes(criterion));
    assert(speaks, `${id} is done without evidence for ${criterion}`);
  }
}

/** A spend is never over what the window allows. */
function checkSpent({ after, commit }: Step, name: string): void {
  const goal = after.goals.get(name);
  assert(goal);
  const { windowH, slotMinutes, compute, allowedSlots, tokens, usd } = goal.quota;
  const inWindow = goal.spends.filter((spend) => spend.at > commit.at - windowH * 3_600_000);
  const sum = (of: 'slots' | 'tokens' | 'usd') => inWindow.reduce((total, spend) => total + spend[of], 0);
  const spent = commit.events.flatMap((event) => (event.type === 'quota.spent' ? [event.spend] : []))[0];
  assert(
    !spent?.slots || sum('slots') <= (allowedSlots ?? ((windowH * 60) / slotMinutes) * compute),
    'slots overspent',
  );
  assert(!spent?.tokens || sum('tokens') <= (tokens ?? Number.POSITIVE_INFINITY), 'tokens overspent');
  assert(!spent?.usd || sum('usd') <= (usd ?? Number.POSITIVE_INFINITY) + 1e-6, 'usd overspent');
}

const holdersOnly: readonly string[] = [
  'todo.changed',
  'todo.noted',
  'todo.opened',
  'todo.done',
  'todo.dropped',
  'todo.deferred',
  'claim.renewed',
  'claim.settled',
  'monitor.reported',
];

/** Nobody but the holder, in the session that stands for it, changes a claimed todo; a taker takes it over first. */
function checkHolder({ before, after, commit, actor }: Step, event: Event, earlier: readonly Event[]): void {
  if (actor.kind === 'owner') return;
  assert.equal(after.agents.get(commit.agent ?? '')?.session, actor.session);
  const id =
    event.type === 'handoff.offered' || event.type === 'evidence.written'
      ? event.record.todo
      : 'todo' in event
        ? event.todo
        : undefined;
  const isAbout =
    holdersOnly.includes(event.type) ||
    event.type === 'handoff.offered' ||
    event.type === 'evidence.written' ||
    event.type === 'todo.blocked';
  const holder = id === undefined ? undefined : before.todos.get(id)?.claim?.holder;
  if (!isAbout || holder === undefined || holder === commit.agent) return;
  const isTaken = earlier.some((one) => one.type === 'claim.taken-over' && one.todo === id && one.from === holder);
  assert(isTaken, `${commit.agent} wrote ${event.type} about ${id}, which ${holder} holds`);
}

/** A claim goes with the state active, and no two agents hold what overlaps. */
function checkLeases(state: State): void {
  const claimed: Todo[] = [];
  for (const todo of state.todos.values()) {
    assert.equal(todo.claim !== undefined, todo.state === 'active', `${todo.todo} is ${todo.state}`);
    if (todo.claim) claimed.push(todo);
  }
  const leases = [
    ...claimed.map((todo) => ({ what: todo.todo, holder: todo.claim?.holder, scope: todo.scope, isShared: false })),
    ...[...state.reservations.values()].map(({ resource, holder, mode }) => ({
      what: resource,
      holder,
      scope: resource.startsWith('path:')
        ? { paths: [resource.slice(5)], resources: [] }
        : { paths: [], resources: [resource] },
      isShared: mode === 'shared',
    })),
  ];
  for (const [at, a] of leases.entries()) {
    for (const b of leases.slice(at + 1)) {
      if (a.holder === b.holder || (a.isShared && b.isShared)) continue;
      assert(!scopesOverlap(a.scope, b.scope), `${a.holder} holds ${a.what}, ${b.holder} holds ${b.what}`);
    }
  }
}

/** The gates over a todo, by walking everything. */
export function gatesOver(state: State, todo: Todo): readonly string[] {
  const isStanding = (gate: Gate) =>
    gate.state === 'open' ||
    (gate.state === 'answered' && gate.answer?.effect === 'deny' && gate.kind !== 'completion');
  const above = new Set([todo.todo]);
  for (let size = 0; size < above.size; ) {
    size = above.size;
    for (const id of [...above]) {
      const one = state.todos.get(id);
      for (const up of [...(one?.after ?? []), ...(one?.parent ? [one.parent] : [])]) above.add(up);
    }
  }
  const isUnscoped = todo.scope.paths.length + todo.scope.resources.length === 0;
  return [...state.gates.values()]
    .filter((gate) => gate.goal === todo.goal && isStanding(gate))
    .filter((gate) => {
      const isProtecting = gate.protects.paths.length + gate.protects.resources.length > 0;
      return (
        gate.blocks.goal ||
        gate.blocks.todos.some((id) => above.has(id)) ||
        scopesOverlap(todo.scope, gate.protects) ||
        (isUnscoped && isProtecting && gate.state === 'open')
      );
    })
    .map((gate) => gate.gate);
}
