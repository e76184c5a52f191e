import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TurnDecision } from '../../../src/state/kernel/decision.ts';
import { evolveCommit } from '../../../src/state/kernel/evolve.ts';
import { initialState } from '../../../src/state/kernel/state.ts';
import { claim } from './acts.ts';
import { dump } from './dump.ts';
import { type Given, givenGoal, type Outcome } from './given.ts';
import { indexesFromScratch, indexesKept } from './indexes.ts';
import { checkCommit } from './invariants.ts';
import { agentAct, files, ownerAct, type Pick, seeded } from './play.ts';

const runs = Number(process.env.LOOPX_PROPERTY_RUNS ?? 200);
const agents = ['ann', 'bob', 'cat', 'dan'];

const table: { readonly [code in TurnDecision['code']]: TurnDecision['decision'] } = {
  'store-unhealthy': 'repair',
  'goal-done': 'stop',
  'goal-stopped': 'stop',
  'goal-paused': 'wait',
  'turn-unsettled': 'settle',
  'gate-goal': 'ask_human',
  'quota-exhausted': 'wait',
  'no-progress': 'replan',
  'continue-claim': 'run',
  'handoff-offered': 'run',
  'monitor-due': 'run',
  'todo-ready': 'run',
  'fallback-ready': 'run',
  'gate-todo': 'ask_human',
  'gate-completion': 'ask_human',
  'peers-working': 'wait',
  'monitor-future': 'wait',
  deferred: 'wait',
  blocked: 'wait',
  'nothing-left': 'replan',
  'nothing-for-you': 'wait',
};

/** The refusal of a claim where rows 2 to 6 decide. */
const brakes: { readonly [code: string]: string } = {
  'goal-done': 'goal-done',
  'goal-stopped': 'goal-stopped',
  'goal-paused': 'goal-paused',
  'turn-unsettled': 'turn-unsettled',
  'gate-goal': 'gate-pending',
  'quota-exhausted': 'quota-exhausted',
};

/** Several agents, their owner and the world around them, driven by a list of numbers. */
class Play {
  readonly given: Given;
  readonly #sessions = new Map<string, number>();

  constructor() {
    this.given = givenGoal(
      [
        { title: 'first', covers: ['A1'] },
        { title: 'second', after: ['T1'], scope: { paths: ['src/a.ts'] } },
      ],
      {
        acceptance: ['fast'],
        quota: { allowedSlots: 5, tokens: 100, usd: 1, noProgressLimit: 2, windowH: 1 },
      },
    );
    this.given.do('starter', { type: 'goal.start', goal: 'other', objective: 'Else', todos: [{ title: 'third' }] });
    for (const file of files) this.given.files[file] = 'one';
  }

  from(agent: string) {
    const n = this.#sessions.get(agent) ?? 0;
    return { session: `s-${agent}-${n}`, ...(agent === 'dan' && { hostSession: 'h-dan' }) };
  }

  step(agent: string, pick: Pick): void {
    const kind = pick(10);
    if (kind < 2) {
      this.#world(agent, pick);
      return;
    }
    const { given } = this;
    const before = given.state;
    const isOwner = kind === 2;
    const key = pick(10) === 0 ? `k${pick(3)}` : undefined;
    let outcome: Outcome;
    if (isOwner) outcome = given.owner(ownerAct(before, pick));
    else
      outcome = given.try(agent, agentAct(before, agent, pick), {
        from: this.from(agent),
        ...(key !== undefined && { key }),
      });
    assert(outcome.ok || outcome.refusal.next.length > 0, 'a refusal without a next call');
    if (given.state === before) return;
    assert(outcome.ok, 'a refusal wrote');
    const commit = given.commits.at(-1);
    if (!commit) return;
    const actor = isOwner
      ? ({ kind: 'owner', name: 'Olga', channel: 'cli', grade: 'confirmed' } as const)
      : given.actor(agent, this.from(agent));
    checkCommit({ before, after: given.state, commit, actor, files: given.files });
  }

  /** Time passes or jumps, sessions die, fall idle, cannot be seen or come back, files change. */
  #world(agent: string, pick: Pick): void {
    const { given } = this;
    const waits = [1, 61, 301, 700, 3_700, -3_600, 90_000];
    const happenings: readonly (() => unknown)[] = [
      () => given.wait(waits[pick(waits.length)] as number),
      () => given.wait(waits[pick(4)] as number),
      () => {
        given.see(this.from(agent).session, { standing: 'dead' });
        this.#sessions.set(agent, (this.#sessions.get(agent) ?? 0) + 1);
      },
      () =>
        given.see(this.from(agent).session, {
          beatAt: given.wall,
          isIdle: pick(2) === 0,
          hasStoodStill: pick(2) === 0,
        }),
      () => given.see(this.from(agent).session, { standing: 'unknown', beatAt: undefined }),
      () => given.see(this.from(agent).session, {}),
      () => {
        given.files[files[pick(2)] as string] = [null, 'one', 'two'][pick(3)] as string | null;
      },
    ];
    happenings[pick(happenings.length)]?.();
  }

  /** Asking and claiming agree at the same version. */
  checkDecision(agent: string, goal: string): void {
    const { given } = this;
    const from = this.from(agent);
    const { decision, code, why, todo } = given.decision(agent, goal, given.view(agent, from.session));
    assert.equal(table[code], decision, code);
    const taken = given.peek(agent, { type: 'quota.claim', goal }, { from });
    // Whose name lives in another session is told so, whatever there is to do.
    if ('refusal' in taken) {
      assert.equal(taken.refusal.code, 'agent-in-use');
      return;
    }
    assert.deepEqual(taken.result.decision, { decision, code, why });
    assert.equal(taken.result.todo, decision === 'run' ? todo?.todo : undefined);
    if (decision === 'run') {
      const named = given.peek(agent, claim(todo?.todo), { from });
      assert(!('refusal' in named), `${todo?.todo} was advised by ${code} and refused`);
    } else if (code !== 'no-progress') {
      const best = given.peek(agent, { ...claim(), goal }, { from });
      assert('refusal' in best, `${code}, and yet a todo was granted`);
      assert.equal(best.refusal.code, brakes[code] ?? 'nothing-runnable');
    }
  }
}

describe('whatever several agents, their owner and the clock do', () => {
  it(
    'every commit keeps one holder, growing tokens, gates, budgets and evidence; asking and claiming agree; folding again gives the same state and indexes [R27, R28, R35, R36, R37, R38, R39]',
    () => {
      fc.assert(
        fc.property(fc.array(fc.nat(), { minLength: 20, maxLength: 60, size: 'max' }), (steps) => {
          const play = new Play();
          for (const seed of steps) {
            const pick = seeded(seed);
            play.step(agents[pick(agents.length)] as string, pick);
            if (pick(2) === 0)
              play.checkDecision(agents[pick(agents.length)] as string, pick(3) === 0 ? 'other' : 'parser');
          }
          const { state, commits } = play.given;
          expect(indexesKept(state)).toEqual(indexesFromScratch(state));
          expect(dump(commits.reduce(evolveCommit, initialState()))).toBe(dump(state));
        }),
        { numRuns: runs, endOnFailure: process.env.LOOPX_PROPERTY_SHRINK === undefined },
      );
    },
    Math.max(60_000, runs * 200),
  );
});
