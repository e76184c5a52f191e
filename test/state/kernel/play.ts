import type {
  Act,
  EvidenceInput,
  GateAsk,
  OwnerAct,
  ScopeInput,
  TodoSpec,
} from '../../../src/state/kernel/commands.ts';
import type { State } from '../../../src/state/kernel/state.ts';
import {
  add,
  answer,
  ask,
  challenge,
  claim,
  evidence,
  handoff,
  join,
  note,
  passing,
  report,
  reserve,
  spend,
  update,
  writeback,
} from './acts.ts';

type AgentAct = Exclude<Act, OwnerAct>;

/** A number from 0 to n - 1, from wherever the caller's chance comes. */
export type Pick = (n: number) => number;

/** The same numbers for the same seed, for ever (mulberry32). */
export function seeded(seed: number): Pick {
  let state = seed >>> 0;
  return (n) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % n;
  };
}

export const files = ['src/a.ts', 'docs/b.md'];
const scopes: readonly ScopeInput[] = [
  {},
  { paths: ['src/**'] },
  { paths: ['src/a.ts'] },
  { paths: ['docs/**'] },
  { resources: ['port:1'] },
  { paths: ['docs/b.md'], resources: ['deploy:x'] },
];
const ttls = [undefined, 1, 60, 600, 86_400];
const states = ['open', 'done', 'blocked', 'deferred', 'dropped'] as const;

/** A command that an agent might send now: mostly sensible, sometimes about what is not there or not its own. */
export function agentAct(state: State, agent: string, pick: Pick): AgentAct {
  const one = <T>(list: readonly T[]): T => list[pick(list.length)] as T;
  const often = <T>(value: T): T | undefined => (pick(3) > 0 ? value : undefined);
  const anyTodo = () => `T${1 + pick(state.counts.todos + (pick(10) === 0 ? 1 : 0))}`;
  const own = [...state.index.active.keys()].filter((id) => state.todos.get(id)?.claim?.holder === agent);
  const todo = () => (own.length > 0 && pick(5) > 0 ? one(own) : anyTodo());
  const someId = (letter: string, count: number) => `${letter}${1 + pick(Math.max(1, count))}`;
  const token = (id: string) => (pick(4) === 0 ? (state.todos.get(id)?.claim?.token ?? 1) - pick(2) : undefined);
  const goal = pick(8) > 0 ? one(['parser', 'parser', 'other']) : undefined;
  const spec = (): TodoSpec => {
    const isMonitor = pick(6) === 0;
    return {
      title: 'todo',
      priority: one(['P0', 'P1', 'P2', 'P3']),
      after: pick(3) === 0 ? [anyTodo()] : [],
      scope: one(scopes),
      acceptance: pick(4) === 0 ? ['own'] : [],
      covers: pick(3) === 0 ? ['A1'] : [],
      ...(pick(5) === 0 && { parent: anyTodo() }),
      ...(pick(6) === 0 && { capabilities: ['gpu'] }),
      ...(pick(6) === 0 && { excludeAgents: [agent] }),
      ...(isMonitor && { kind: 'monitor', everyS: 60 }),
      ...(pick(6) === 0 && { resumeWhen: pick(2) === 0 ? { todoDone: anyTodo() } : { at: '2030-01-01T02:00:00Z' } }),
    };
  };
  const proof = (): EvidenceInput =>
    passing({
      result: one(['pass', 'pass', 'pass', 'fail', 'info']),
      criteria: one([[], ['A1'], ['A1', 'A2']]),
      ...(pick(2) === 0 && { files: [one(files)] }),
      ...(pick(5) === 0 && { validForS: 60 }),
      ...(pick(8) === 0 && state.counts.evidence > 0 && { supersedes: someId('E', state.counts.evidence) }),
    });
  const cost = () => ({ slots: pick(4), tokens: pick(40), usd: pick(3) / 10 });
  const gate = (): Partial<GateAsk> => ({
    blocks: { todos: pick(3) === 0 ? [] : [anyTodo()], goal: pick(12) === 0 },
    protects: one([{}, { paths: ['src/**'] }, { paths: ['docs/b.md'] }, { resources: ['port:1'] }]),
    ...(pick(8) === 0 && { amendment: { addAcceptance: ['more'] } }),
    ...(pick(8) === 0 && { goal: one(['parser', 'parser', 'other']) }),
  });
  const id = todo();
  const watched = own.find((one) => state.todos.get(one)?.kind === 'monitor');
  if (watched !== undefined && pick(3) === 0) return report(watched, pick(2) === 0);
  if (own.length === 0 && pick(3) === 0) return claim(undefined, { goal, ttlS: one(ttls) });
  if (own.length > 0 && pick(4) === 0)
    return writeback(one(own), { todoState: 'done', evidence: [passing({ criteria: ['A1'] })] });
  const makers: readonly (() => AgentAct)[] = [
    () => claim(undefined, { goal, ttlS: one(ttls) }),
    () => claim(id, { ttlS: one(ttls) }),
    () => challenge(id),
    () => ({ type: 'quota.claim', goal }),
    () => ({ type: 'quota.claim', goal }),
    () => writeback(id, { todoState: 'done', evidence: [proof(), proof()], spend: often(cost()), token: token(id) }),
    () => writeback(id, { todoState: 'done', evidence: [passing({ criteria: often(['A1']) })] }),
    () =>
      writeback(id, { todoState: often(one(states)), evidence: [proof()], successors: pick(4) === 0 ? [spec()] : [] }),
    () =>
      writeback(undefined, {
        goal,
        outcome: one(['gap', 'quiet', 'replan']),
        spend: often(cost()),
        successors: [spec()],
      }),
    () =>
      writeback(id, { handoff: { to: one([{ any: true }, { agent: 'bob' }, { capability: 'gpu' }]), summary: 's' } }),
    () => evidence(id, proof()),
    () =>
      evidence(undefined, {
        ...proof(),
        goal,
        ...(state.counts.evidence > 0 && { confirms: someId('E', state.counts.evidence) }),
      }),
    () => update(id, { state: one(states), reason: 'r', token: token(id) }),
    () =>
      update(id, {
        state: 'deferred',
        resumeWhen: one([{ todoDone: anyTodo() }, { gateAnswered: someId('G', state.counts.gates) }]),
      }),
    () => update(id, { after: [anyTodo()] }),
    () => update(id, { scope: one(scopes), priority: one(['P0', 'P2']), acceptance: often(['own', 'more']) }),
    () => note(id, token(id)),
    () => ({ ...add(spec(), spec()), goal }),
    () => ask(gate()),
    () => handoff(id, one([{ any: true }, { agent: 'ann' }, { agent: 'cat' }]), { acceptWithinS: 60 }),
    () => report(id, pick(2) === 0),
    () =>
      reserve([one(['port:1', 'path:src/**', 'path:docs/b.md'])], {
        mode: one(['exclusive', 'shared']),
        ttlS: one(ttls),
      }),
    () => reserve([one(['port:1', 'path:src/**'])], { release: true }),
    () => ({ ...spend(cost()), goal }),
    () => join({ capabilities: one([[], ['gpu']]) }),
  ];
  return one(makers)();
}

/** Something the owner might do now. */
export function ownerAct(state: State, pick: Pick): OwnerAct {
  const one = <T>(list: readonly T[]): T => list[pick(list.length)] as T;
  const someId = (letter: string, count: number) => `${letter}${1 + pick(Math.max(1, count))}`;
  const open = [...state.gates.values()].filter((gate) => gate.state === 'open').map((gate) => gate.gate);
  const gate = open.length > 0 && pick(4) > 0 ? one(open) : someId('G', state.counts.gates);
  const goal = one(['parser', 'parser', 'other']);
  const yes = () => answer(gate, one(['yes', 'yes', 'no']), 'so be it');
  const quota = () =>
    one([{ allowedSlots: 3 }, { allowedSlots: 50 }, { tokens: 60 }, { compute: 0 }, { compute: 1 }, { windowH: 2 }]);
  const makers: readonly (() => OwnerAct)[] = [
    yes,
    yes,
    yes,
    () => ({ type: one(['gate.withdraw', 'gate.supersede', 'gate.lift']), gate }),
    () => ({ type: one(['goal.pause', 'goal.resume', 'goal.resume']), goal }),
    () => ({ type: 'goal.amend', goal, amendment: { quota: quota() } }),
    () => ({ type: 'goal.amend', goal, amendment: one([{ addAcceptance: ['x'] }, { dropAcceptance: ['A1'] }]) }),
    () => ({ type: 'evidence.accept', evidence: someId('E', state.counts.evidence) }),
    () => (pick(20) === 0 ? { type: 'goal.stop', goal } : { type: 'goal.resume', goal }),
  ];
  return one(makers)();
}
