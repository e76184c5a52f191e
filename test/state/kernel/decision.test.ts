import { describe, expect, it } from 'vitest';
import { decideTurn } from '../../../src/state/kernel/decision.ts';
import { add, answer, ask, claim, evidence, finish, handoff, join, report, update, writeback } from './acts.ts';
import { type Given, givenGoal } from './given.ts';

const claimDecided = { type: 'quota.claim' } as const;
const docs = { title: 'docs', scope: { paths: ['docs/**'] } };
const monitor = { title: 'watch', kind: 'monitor', everyS: 60 } as const;

/** What the question answers must be what a claim does at the same version. */
function agrees(given: Given, agent: string): void {
  const { decision, todo, code } = given.decision(agent);
  const result = given.do(agent, claimDecided);
  expect(result.decision).toMatchObject({ decision, code });
  expect(result.todo).toBe(decision === 'run' ? todo?.todo : undefined);
}

describe('each row of the table', () => {
  it('1: repair when the log cannot be written, before anything else [R28]', () => {
    const given = givenGoal(['a']);
    given.owned({ type: 'goal.stop', goal: 'parser' });
    expect(decideTurn(given.view('ann'), given.goal(), 'disk full')).toMatchObject({
      decision: 'repair',
      code: 'store-unhealthy',
    });
  });

  it('2: stop when the goal has ended [R28]', () => {
    const given = givenGoal(['a']);
    given.do('ann', claim('T1'));
    given.owned({ type: 'goal.stop', goal: 'parser' });
    expect(given.row('ann')).toBe('stop goal-stopped');
    agrees(given, 'ann');
  });

  it('3: wait while it is paused or has compute 0, before an unsettled turn [R28]', () => {
    const given = givenGoal(['a']);
    given.do('ann', claim('T1'));
    given.dead('ann').do('ann', join(), { from: { session: 's-2' } });
    given.owned({ type: 'goal.amend', goal: 'parser', amendment: { quota: { compute: 0 } } });
    expect(given.row('ann')).toBe('wait goal-paused');
    given.owned({ type: 'goal.amend', goal: 'parser', amendment: { quota: { compute: 1 } } });
    expect(given.row('ann')).toBe('settle turn-unsettled');
  });

  it('4: settle an unsettled turn, before a gate over the goal [R28]', () => {
    const given = givenGoal(['a']);
    given.do('ann', claim('T1'));
    given.do('bob', ask({ blocks: { goal: true } }));
    given.dead('ann').do('ann', join(), { from: { session: 's-2' } });
    expect(given.row('ann')).toBe('settle turn-unsettled');
    given.do('ann', writeback('T1'), { from: { session: 's-2' } });
    expect(given.row('ann')).toBe('ask_human gate-goal');
  });

  it('5: ask the human about a gate over the goal, before an exhausted budget [R28, R37]', () => {
    const given = givenGoal(['a'], { quota: { allowedSlots: 0 } });
    given.do('bob', ask({ blocks: { goal: true } }));
    expect(given.decision('ann')).toMatchObject({ decision: 'ask_human', code: 'gate-goal', gate: { gate: 'G1' } });
    agrees(given, 'ann');
    given.owned(answer('G1'));
    expect(given.row('ann')).toBe('wait quota-exhausted');
  });

  it('6: wait when slots, tokens, usd or turns are spent, before a replan; it says when they free [R28]', () => {
    const given = givenGoal(['a'], { quota: { noProgressLimit: 1, turns: 1, windowH: 1 } });
    given.do('ann', writeback(undefined, { outcome: 'gap' }));
    expect(given.decision('ann')).toMatchObject({ code: 'quota-exhausted', until: given.wall + 3_600_000 });
    agrees(given, 'ann');
    given.wait(3_600);
    expect(given.row('ann')).toBe('replan no-progress');
  });

  it('7: replan after turns in a row without progress, before going on with a claim [R28]', () => {
    const given = givenGoal(['a']);
    given.do('ann', claim('T1'));
    for (let turn = 1; turn <= 3; turn++) {
      expect(given.row('ann')).toBe('run continue-claim');
      given.do('ann', writeback('T1'));
    }
    expect(given.row('ann')).toBe('replan no-progress');
    agrees(given, 'ann');
    expect(given.row('bob')).toBe('wait peers-working');
  });

  it('8: run the claim it holds, before a handoff [R28]', () => {
    const given = givenGoal(['a', 'b']);
    given.do('bob', claim('T2'));
    given.do('bob', handoff('T2', { agent: 'ann' }));
    given.do('ann', claim('T1'));
    expect(given.decision('ann')).toMatchObject({ decision: 'run', code: 'continue-claim', todo: { todo: 'T1' } });
    agrees(given, 'ann');
  });

  it('9: run what is handed over, before a better todo [R28]', () => {
    const given = givenGoal(['a', { title: 'b', priority: 'P0' }]);
    given.do('bob', claim('T1'));
    given.do('bob', handoff('T1', { agent: 'ann' }));
    expect(given.decision('ann')).toMatchObject({ code: 'handoff-offered', todo: { todo: 'T1' } });
    agrees(given, 'ann');
    expect(given.claim('T1')?.holder).toBe('ann');
  });

  it('10: run a due monitor and a runnable todo in turns when both are there [R28]', () => {
    const given = givenGoal([monitor, 'a', 'b', { ...monitor, title: 'other' }]);
    const codes: string[] = [];
    for (let turn = 0; turn < 4; turn++) {
      codes.push(given.decision('ann').code);
      const { todo = '' } = given.do('ann', claimDecided);
      given.do('ann', given.todo(todo).kind === 'monitor' ? report(todo, false) : finish(todo));
    }
    expect(codes).toEqual(['monitor-due', 'todo-ready', 'monitor-due', 'todo-ready']);
  });

  it('10: run a fallback where a better one is held by a gate, and record the audit with the claim [R28, R38]', () => {
    const given = givenGoal([{ title: 'a', priority: 'P0' }, docs]);
    given.do('bob', ask({ blocks: { todos: ['T1'] }, protects: { paths: ['src/**'] } }));
    const { fallback } = given.decision('ann');
    expect(given.decision('ann')).toMatchObject({ decision: 'run', code: 'fallback-ready', todo: { todo: 'T2' } });
    expect(given.do('ann', claim('T2')).fallback).toEqual(fallback);
    const granted = given.commits.at(-1)?.events.find((event) => event.type === 'claim.granted');
    expect(granted).toMatchObject({
      fallback: { gate: 'G1', audit: expect.stringContaining('T2 is not blocked by G1') },
    });
  });

  it('10: run no fallback where what a gate holds is worse than what can run [R28]', () => {
    const given = givenGoal([docs, { title: 'a', priority: 'P3' }]);
    given.do('bob', ask({ blocks: { todos: ['T2'] } }));
    expect(given.row('ann')).toBe('run todo-ready');
    expect(given.do('ann', claim()).fallback).toBeUndefined();
  });

  it('11: ask the human when an open todo is held by a gate, whatever peers are working on [R28, R37]', () => {
    const given = givenGoal(['a', docs]);
    given.do('bob', claim('T2'));
    given.do('bob', ask({ blocks: { todos: ['T1'] } }));
    expect(given.decision('ann')).toMatchObject({ decision: 'ask_human', code: 'gate-todo', gate: { gate: 'G1' } });
    agrees(given, 'ann');
  });

  it('11: ask the human when only a monitor is held, by what the gate protects [R28, R38]', () => {
    const given = givenGoal([monitor]);
    given.do('bob', ask({ protects: { paths: ['src/**'] } }));
    expect(given.row('ann')).toBe('ask_human gate-todo');
  });

  it('11: ask the human when a todo that is not its turn yet is held by what the gate protects [R28, R38]', () => {
    const given = givenGoal([docs, { title: 'src', after: ['T1'], scope: { paths: ['src/x'] } }]);
    given.do('bob', claim('T1'));
    given.do('bob', ask({ protects: { paths: ['src/**'] } }));
    expect(given.row('ann')).toBe('ask_human gate-todo');
  });

  it('11: ask the human about the agent’s own claim when a gate came over it [R28, R37]', () => {
    const given = givenGoal(['a']);
    given.do('ann', claim('T1'));
    given.do('bob', ask({ blocks: { todos: ['T1'] } }));
    expect(given.row('ann')).toBe('ask_human gate-todo');
  });

  it('11: ask the human when only the completion gate is left [R28]', () => {
    const given = givenGoal(['a']);
    given.do('ann', claim('T1'));
    given.do('ann', finish('T1'));
    expect(given.decision('ann')).toMatchObject({ code: 'gate-completion', gate: { kind: 'completion' } });
  });

  it('12: wait for peers who work, before a monitor that is not due [R28]', () => {
    const given = givenGoal([docs, monitor]);
    given.do('bob', claim('T1'));
    given.do('bob', claim('T2'));
    given.do('bob', report('T2', false));
    expect(given.decision('ann')).toMatchObject({
      decision: 'wait',
      code: 'peers-working',
      until: given.wall + 1_800_000,
    });
    expect(given.decision('ann').waiting?.[0]).toMatchObject({ todo: 'T1', who: 'bob' });
  });

  it('12: wait for what a peer reserved by hand, and for what is offered to another [R28]', () => {
    const given = givenGoal([docs]);
    given.do('bob', { type: 'reserve', resources: ['path:docs/x'] });
    expect(given.row('ann')).toBe('wait peers-working');
    given.do('bob', claim('T1'));
    given.do('bob', handoff('T1', { agent: 'cat' }));
    given.do('bob', { type: 'reserve', resources: ['path:docs/x'], release: true });
    expect(given.row('ann')).toBe('wait peers-working');
    expect(given.row('cat')).toBe('run handoff-offered');
  });

  it('12: wait for a monitor that is not due, before what is deferred [R28]', () => {
    const given = givenGoal([monitor, 'a']);
    given.do('ann', claim('T1'));
    given.do('ann', report('T1', false));
    given.do('ann', update('T2', { state: 'deferred', resumeWhen: { at: '2030-01-02T00:00:00Z' } }));
    expect(given.decision('ann')).toMatchObject({ code: 'monitor-future', until: given.wall + 120_000 });
  });

  it('12: wait for what is deferred, before what is blocked [R28]', () => {
    const given = givenGoal(['a', 'b']);
    given.do('ann', update('T1', { state: 'blocked', reason: 'no key' }));
    given.do('ann', update('T2', { state: 'deferred', resumeWhen: { at: '2030-01-02T00:00:00Z' } }));
    expect(given.decision('ann')).toMatchObject({ code: 'deferred', until: Date.parse('2030-01-02T00:00:00Z') });
    given.wait(86_400);
    expect(given.row('ann')).toBe('run todo-ready');
  });

  it('12: wait for what is blocked, and for what the owner denied [R28]', () => {
    const given = givenGoal(['a']);
    given.do('ann', update('T1', { state: 'blocked', reason: 'no key' }));
    expect(given.row('ann')).toBe('wait blocked');
    given.do('ann', update('T1', { state: 'open' }));
    given.do('ann', ask({ blocks: { todos: ['T1'] } }));
    given.owned(answer('G1', 'no'));
    expect(given.row('ann')).toBe('wait blocked');
    given.refused('ann', 'nothing-runnable', claim());
  });

  it('13: replan when a criterion is unmet and no todo covers it [R28]', () => {
    const given = givenGoal([{ title: 'a', covers: ['A1'] }], { acceptance: ['fast', 'small'] });
    given.do('ann', claim('T1'));
    given.do('ann', finish('T1'));
    expect(given.row('ann')).toBe('replan nothing-left');
    expect(given.decision('ann').why).toContain('A2');
  });

  it.each([
    ['neither criteria nor todos', () => givenGoal()],
    [
      'no criteria and only todos that were dropped',
      () => {
        const given = givenGoal(['a']);
        given.do('ann', claim('T1'));
        given.do('ann', update('T1', { state: 'dropped', reason: 'x' }));
        return given;
      },
    ],
  ])('13: replan when the goal has %s [R28]', (_, build) => {
    expect(build().row('ann')).toBe('replan nothing-left');
  });

  it('13: replan when the owner did not take the goal as done [R28]', () => {
    const given = givenGoal(['a']);
    given.do('ann', claim('T1'));
    given.do('ann', finish('T1'));
    given.owned(answer('G1', 'no', 'docs are missing'));
    expect(given.row('ann')).toBe('replan nothing-left');
    expect(given.decision('ann').why).toContain('docs are missing');
    given.do('ann', add('docs'));
    expect(given.row('ann')).toBe('run todo-ready');
  });

  it('14: wait when nothing is for this agent, with the reason for each todo [R28]', () => {
    const given = givenGoal([
      { title: 'a', capabilities: ['gpu'] },
      { title: 'b', excludeAgents: ['ann'] },
    ]);
    const { code, waiting } = given.decision('ann');
    expect(code).toBe('nothing-for-you');
    expect(waiting).toMatchObject([
      { todo: 'T1', what: 'needs capability gpu' },
      { todo: 'T2', what: 'excludes you' },
    ]);
    agrees(given, 'ann');
    given.refused('ann', 'nothing-runnable', claim());
  });
});

describe('turns without progress', () => {
  it('are forgotten by a todo done, a criterion newly met, or evidence resting on something new [R28]', () => {
    const progress: readonly (readonly [string, (given: Given) => unknown])[] = [
      ['done', (given) => given.do('ann', finish('T1'))],
      [
        'met',
        (given) =>
          given.do(
            'ann',
            writeback('T1', { evidence: [{ kind: 'test', summary: 's', result: 'pass', criteria: ['A1'] }] }),
          ),
      ],
      [
        'new',
        (given) => given.do('ann', evidence('T1', { command: { line: 'npm test', exitCode: 1 }, result: 'fail' })),
      ],
    ];
    for (const [name, act] of progress) {
      const given = givenGoal(['a', 'b'], { acceptance: ['fast'] });
      given.do('ann', claim('T1'));
      given.do('ann', evidence('T1', { result: 'info' }));
      for (let turn = 0; turn < 3; turn++) given.do('ann', writeback('T1'));
      expect(given.row('ann'), name).toBe('replan no-progress');
      act(given);
      expect(given.row('ann'), name).not.toBe('replan no-progress');
    }
  });

  it('are not forgotten by the same evidence again [R28]', () => {
    const given = givenGoal(['a']);
    given.do('ann', claim('T1'));
    const same = { kind: 'command', summary: 's', result: 'fail', command: { line: 'npm test', exitCode: 1 } } as const;
    for (let turn = 0; turn < 4; turn++) given.do('ann', writeback('T1', { evidence: [same] }));
    expect(given.row('ann')).toBe('replan no-progress');
  });

  it('are cleared by one replan that brings todos or a blocker, and by no empty one [R28]', () => {
    for (const plan of [
      { successors: [{ title: 'other way' }] },
      { evidence: [{ kind: 'blocker', summary: 's', result: 'info' }] },
    ] as const) {
      const given = givenGoal(['a']);
      for (let turn = 0; turn < 3; turn++) given.do('ann', writeback(undefined, { outcome: 'gap' }));
      expect(given.row('ann')).toBe('replan no-progress');
      given.refused('ann', 'bad-argument', writeback(undefined, { outcome: 'replan' }));
      given.do('ann', writeback(undefined, { outcome: 'replan', ...plan }));
      expect(given.row('ann')).not.toBe('replan no-progress');
    }
  });

  it('are neither made nor unmade by monitors that saw no change, nor by quiet turns [R28]', () => {
    const given = givenGoal([monitor], { quota: { noProgressLimit: 1 } });
    for (let turn = 0; turn < 3; turn++) {
      given.do('ann', claim('T1'));
      given.do('ann', report('T1', false));
      given.do('ann', writeback(undefined, { outcome: 'quiet' }));
      given.wait(1_000);
    }
    expect(given.row('ann')).toBe('run monitor-due');
    given.do('ann', writeback(undefined, { outcome: 'gap' }));
    given.do('ann', writeback(undefined, { outcome: 'quiet' }));
    expect(given.row('ann')).toBe('replan no-progress');
  });
});
