import { describe, expect, it } from 'vitest';
import type { Act, OwnerAct } from '../../../src/state/kernel/commands.ts';
import { findGoal } from '../../../src/state/kernel/find.ts';
import type { NextCall, Refusal, RefusalCode } from '../../../src/state/kernel/refusal.ts';
import { parseInput } from '../../../src/tools/parse-input.ts';
import { toolNamed } from '../../../src/tools/registry.ts';
import {
  add,
  answer,
  ask,
  claim,
  evidence,
  finish,
  handoff,
  join,
  note,
  report,
  reserve,
  spend,
  update,
  writeback,
} from './acts.ts';
import { type Aside, Given, givenGoal } from './given.ts';

type AgentAct = Exclude<Act, OwnerAct>;
type Case = readonly [code: RefusalCode, when: string, given: () => Given, act: AgentAct, aside?: Aside];

const stop: OwnerAct = { type: 'goal.stop', goal: 'parser' };
const pause: OwnerAct = { type: 'goal.pause', goal: 'parser' };

function after(given: Given, ...steps: readonly ((given: Given) => unknown)[]): Given {
  for (const step of steps) step(given);
  return given;
}
const bob = (act: AgentAct) => (given: Given) => given.do('bob', act);
const ann = (act: AgentAct) => (given: Given) => given.do('ann', act);
const owner = (act: OwnerAct) => (given: Given) => given.owned(act);

/** What agent ann is refused, one line a reason. */
const cases: readonly Case[] = [
  ['no-goal', 'nothing was started', () => new Given(), claim()],
  ['goal-exists', 'the name is taken', () => givenGoal(), { type: 'goal.start', goal: 'parser', objective: 'Else' }],
  ['goal-paused', 'the owner paused', () => after(givenGoal(['a']), owner(pause)), claim('T1')],
  ['goal-stopped', 'the owner stopped', () => after(givenGoal(['a']), owner(stop)), claim('T1')],
  ['goal-stopped', 'something is added', () => after(givenGoal(['a']), owner(stop)), add('b')],
  [
    'goal-done',
    'it was taken as done',
    () => after(givenGoal(['a']), bob(claim('T1')), bob(finish('T1')), owner(answer('G1'))),
    note('T1'),
  ],
  ['claim-held', 'a peer works', () => after(givenGoal(['a', 'b']), bob(claim('T1'))), claim('T1')],
  ['claim-held', 'a peer works on the only one', () => after(givenGoal(['a']), bob(claim('T1'))), note('T1')],
  [
    'claim-held',
    'the peer seems idle',
    () => after(givenGoal(['a']), bob(claim('T1')), (given) => given.idle('bob')),
    claim('T1'),
  ],
  ['todo-blocked', 'it comes later', () => givenGoal(['a', { title: 'b', after: ['T1'] }]), claim('T2')],
  ['todo-blocked', 'it is for others', () => givenGoal([{ title: 'a', excludeAgents: ['ann'] }]), claim('T1')],
  ['todo-blocked', 'it is done', () => after(givenGoal(['a']), bob(claim('T1')), bob(finish('T1'))), claim('T1')],
  ['nothing-runnable', 'all is taken', () => after(givenGoal(['a']), bob(claim('T1'))), claim()],
  [
    'gate-pending',
    'the owner has not answered',
    () => after(givenGoal(['a']), bob(ask({ blocks: { todos: ['T1'] } }))),
    claim('T1'),
  ],
  ['reserved', 'a peer holds the resource', () => after(givenGoal(), bob(reserve(['port:1']))), reserve(['port:1'])],
  [
    'reserved',
    'a peer holds the path',
    () => after(givenGoal([{ title: 'a', scope: { paths: ['x'] } }]), bob(reserve(['path:x']))),
    claim('T1'),
  ],
  [
    'turn-unsettled',
    'an earlier turn is open',
    () => after(givenGoal(['a', 'b']), ann(claim('T1')), (given) => given.dead('ann')),
    claim('T2'),
    { from: { session: 's-2' } },
  ],
  ['quota-exhausted', 'the window is spent', () => givenGoal(['a'], { quota: { allowedSlots: 0 } }), claim('T1')],
  ['bad-argument', 'a field is wrong', () => givenGoal(['a']), update('T1', { after: ['T1'] })],
  ['bad-argument', 'a writeback lacks its todo', () => givenGoal(['a']), writeback(undefined)],
  [
    'goal-ambiguous',
    'several are live',
    () => after(givenGoal(), bob({ type: 'goal.start', goal: 'b', objective: 'b' })),
    add('x'),
  ],
  ['not-found', 'a todo is not there', () => givenGoal(['a']), claim('T9')],
  ['not-found', 'a goal is not there', () => givenGoal(['a']), { ...add('x'), goal: 'other' }],
  ['not-found', 'a reservation is not there', () => givenGoal(), reserve(['port:1'], { release: true })],
  [
    'claim-lost',
    'a peer took it over',
    () => after(givenGoal(['a']), ann(claim('T1')), (given) => given.dead('ann'), bob(claim('T1'))),
    note('T1'),
  ],
  ['claim-lost', 'the token is old', () => after(givenGoal(['a'])), note('T1', 1)],
  [
    'agent-in-use',
    'the name lives elsewhere',
    () => after(givenGoal(), ann(join())),
    add('b'),
    { from: { session: 's-2' } },
  ],
  ['not-allowed', 'nobody holds it', () => givenGoal(['a']), writeback('T1')],
  [
    'not-allowed',
    'it is closed',
    () => after(givenGoal(['a']), ann(claim('T1')), ann(finish('T1'))),
    update('T1', { state: 'open' }),
  ],
  ['not-allowed', 'it is open already', () => givenGoal(['a']), update('T1', { state: 'open' })],
  [
    'not-allowed',
    'criteria get lost',
    () => givenGoal([{ title: 'a', acceptance: ['x'] }]),
    update('T1', { acceptance: [] }),
  ],
  ['not-allowed', 'it is the owner’s', () => after(givenGoal(), ann(ask())), answer('G1') as never],
  [
    'not-allowed',
    'it confirms itself',
    () => after(givenGoal(['a']), ann(evidence('T1'))),
    evidence(undefined, { confirms: 'E1' }),
  ],
  [
    'not-allowed',
    'it supersedes a peer’s',
    () => after(givenGoal(['a']), bob(evidence('T1'))),
    evidence('T1', { supersedes: 'E1' }),
  ],
  ['not-allowed', 'it asks for the completion gate', () => givenGoal(), ask({ kind: 'completion' })],
  [
    'key-reused',
    'the key was another call’s',
    () => after(givenGoal(), (given) => given.do('ann', add('b'), { key: 'k' })),
    add('c'),
    { key: 'k' },
  ],
  [
    'evidence-missing',
    'nothing shows it',
    () => after(givenGoal([{ title: 'a', acceptance: ['x'] }]), ann(claim('T1'))),
    update('T1', { state: 'done' }),
  ],
  ['nothing-to-spend', 'nothing was written back', () => givenGoal(), spend()],
  [
    'overspent',
    'the budget has less',
    () => givenGoal([], { quota: { allowedSlots: 1 } }),
    writeback(undefined, { outcome: 'gap', spend: { slots: 2 } }),
  ],
  ['bad-argument', 'a handoff has no target', () => after(givenGoal(['a']), ann(claim('T1'))), handoff('T1', {})],
  ['bad-argument', 'no monitor', () => givenGoal(['a']), report('T1', false)],
];

/** Runs a call as its tool would, on the same state; answers the code it is refused with, if it is. */
async function carryOut(
  given: Given,
  next: NextCall,
  agent: string,
  aside: Aside | undefined,
): Promise<Refusal | undefined> {
  const tool = toolNamed(next.tool);
  if (!tool) expect.fail(`${next.tool} is no tool`);
  const parsed = parseInput(tool, next.arguments);
  if (!parsed.ok) expect.fail(`${next.tool} ${JSON.stringify(next.arguments)}: ${parsed.refusal.message}`);
  let refused: Refusal | undefined;
  const plane = {
    execute: async (act: AgentAct, caller: { agent?: string }) => {
      const outcome = given.try(caller.agent ?? agent, act, aside?.from ? { from: aside.from } : {});
      if (!outcome.ok) refused = outcome.refusal;
      return {};
    },
    query: async (query: { goal?: string; id?: string }) => {
      const goal = findGoal(given.state, query.goal ?? (query.id ? given.gate(query.id)?.goal : undefined));
      if ('refusal' in goal) refused = goal.refusal;
      return {};
    },
  };
  await tool.run(plane as never, parsed.args, { host: 'test', kind: 'mcp' });
  return refused;
}

describe('a refusal', () => {
  it.each(cases.map((one) => [`${one[0]} when ${one[1]}`, one] as const))(
    '%s says what to do in one sentence, and the calls it names are accepted or refused for a new reason [R26]',
    async (_, [code, , build, act, aside]) => {
      const first = build();
      const { message, next } = first.refused('ann', code, act, aside);
      expect(message).toMatch(/^\S.*[.!?]$/s);
      expect(next.length).toBeGreaterThan(0);
      for (const call of next) {
        const given = build();
        expect(call.why).not.toBe('');
        const again = await carryOut(given, call, 'ann', aside);
        if (again) expect([again.code, again.message]).not.toEqual([code, message]);
      }
    },
  );

  it('leaves no trace in the log [R26, R27]', () => {
    for (const [, , build, act, aside] of cases) {
      const given = build();
      const { state } = given;
      given.try('ann', act, aside);
      expect(given.state).toBe(state);
    }
  });
});
