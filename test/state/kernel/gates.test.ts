import { describe, expect, it } from 'vitest';
import { add, answer, ask, claim, finish, note, update, writeback } from './acts.ts';
import { givenGoal, refusal } from './given.ts';

const pay = { title: 'pay', scope: { paths: ['src/pay/**'] } };
const docs = { title: 'docs', scope: { paths: ['docs/**'] } };

describe('a gate is asked', () => {
  it('with yes and no unless options are given, and never without a way to say no [R37]', () => {
    const given = givenGoal(['a']);
    given.do('ann', ask({ blocks: { todos: ['T1'] } }));
    expect(given.gate('G1').options).toMatchObject([{ effect: 'approve' }, { effect: 'deny' }]);
    const yes = { key: 'yes', label: 'Yes', effect: 'approve' } as const;
    const later = { key: 'later', label: 'Later', effect: 'choose' } as const;
    given.refused('ann', 'bad-argument', ask({ options: [yes] }));
    given.refused('ann', 'bad-argument', ask({ options: [yes, later] }));
    given.refused('ann', 'bad-argument', ask({ options: [yes, { ...yes, label: 'Again', effect: 'deny' }] }));
    given.refused('ann', 'bad-argument', ask({ kind: 'approval', options: [later, { ...later, key: 'never' }] }));
  });

  it('never as the completion gate, which the kernel opens by itself [R37]', () => {
    givenGoal(['a']).refused('ann', 'not-allowed', ask({ kind: 'completion' }));
  });

  it('about things that exist, of one goal, and still open [R24]', () => {
    const given = givenGoal(['a', 'b']);
    given.do('ann', { type: 'goal.start', goal: 'other', objective: 'Else', todos: [{ title: 'c' }] });
    given.do('ann', claim('T1'));
    given.do('ann', finish('T1'));
    given.refused('ann', 'not-found', ask({ blocks: { todos: ['T9'] } }));
    given.refused('ann', 'bad-argument', ask({ blocks: { todos: ['T2', 'T3'] } }));
    given.refused('ann', 'bad-argument', ask({ blocks: { todos: ['T1'] } }));
    given.refused('ann', 'not-found', ask({ goal: 'parser', evidence: ['E9'] }));
    given.refused('ann', 'bad-argument', ask({ goal: 'parser', question: ' ' }));
    given.refused('ann', 'bad-argument', ask({ goal: 'parser', recommend: 'maybe' }));
  });
});

describe('an open gate', () => {
  it('holds the todos it blocks, those downstream, and their children, from everybody [R37]', () => {
    const given = givenGoal([
      'a',
      { title: 'b', after: ['T1'] },
      { title: 'c', parent: 'T1' },
      { title: 'd', parent: 'T2' },
    ]);
    given.do('ann', ask({ blocks: { todos: ['T1'] } }));
    for (const todo of ['T1', 'T2', 'T3', 'T4']) {
      for (const agent of ['ann', 'bob']) {
        expect(given.refused(agent, 'gate-pending', claim(todo)).details).toMatchObject({
          gate: 'G1',
          question: 'Ship it?',
        });
      }
    }
  });

  it('leaves what is independent of it alone [R38]', () => {
    const given = givenGoal([pay, docs]);
    given.do('ann', ask({ blocks: { todos: ['T1'] }, protects: { paths: ['src/**'] } }));
    expect(given.do('ann', claim()).todo).toBe('T2');
  });

  it('holds every todo whose scope overlaps what it protects, and every todo without scope [R37, R38]', () => {
    const given = givenGoal([pay, docs, 'anything']);
    given.do('ann', ask({ protects: { paths: ['src/**'] } }));
    given.refused('ann', 'gate-pending', claim('T1'));
    given.refused('ann', 'gate-pending', claim('T3'));
    given.do('ann', claim('T2'));
  });

  it('is not dodged by dropping, re-scoping or editing; notes are free [R37]', () => {
    const given = givenGoal([pay, { title: 'b', after: ['T1'] }]);
    given.do('ann', claim('T1'));
    given.do('ann', ask({ blocks: { todos: ['T1'] }, protects: { paths: ['src/**'] } }));
    given.refused('ann', 'gate-pending', update('T1', { state: 'dropped', reason: 'x' }));
    given.refused('ann', 'gate-pending', update('T1', { scope: { paths: ['docs/**'] } }));
    given.refused('ann', 'gate-pending', update('T1', { title: 'other' }));
    given.refused('ann', 'gate-pending', update('T2', { after: [] }));
    given.refused('ann', 'gate-pending', finish('T1'));
    given.do('ann', note('T1'));
    given.do('ann', update('T1', { state: 'open' }));
    given.refused('ann', 'gate-pending', claim('T1'));
  });

  it('counts every scope a todo had since it opened [R38]', () => {
    const given = givenGoal([docs, 'b']);
    given.do('ann', ask({ blocks: { todos: ['T2'] }, protects: { paths: ['src/**'] } }));
    given.do('ann', add({ title: 'c', scope: { paths: ['docs/x'] } }));
    given.do('ann', update('T1', { scope: { paths: ['docs/y'] } }));
    given.do('ann', claim('T1'));
    given.do('ann', update('T3', { scope: { paths: ['src/x'] } }));
    given.refused('ann', 'gate-pending', update('T3', { scope: { paths: ['docs/x'] } }));
    given.refused('ann', 'gate-pending', claim('T3'));
  });

  it('is told to holders whose work it now holds; they cannot finish until it is answered [R37]', () => {
    const given = givenGoal([pay]);
    given.do('ann', claim('T1'));
    given.do('bob', ask({ protects: { paths: ['src/pay/x.ts'] } }));
    expect(given.told('ann')).toEqual(['gate-overlaps']);
    given.refused('ann', 'gate-pending', finish('T1'));
    given.owned(answer('G1'));
    given.do('ann', finish('T1'));
  });

  it('never opens by time [R37]', () => {
    const given = givenGoal(['a']);
    given.do('ann', ask({ blocks: { todos: ['T1'] } }));
    given.wait(1e8).refused('ann', 'gate-pending', claim('T1'));
  });

  it('releases a todo only together with all others over it [R37]', () => {
    const given = givenGoal([pay]);
    given.do('ann', ask({ blocks: { todos: ['T1'] } }));
    given.do('ann', ask({ protects: { paths: ['src/**'] } }));
    given.owned(answer('G1'));
    expect(given.refused('ann', 'gate-pending', claim('T1')).details.gate).toBe('G2');
    given.owned(answer('G2'));
    given.do('ann', claim('T1'));
  });
});

describe('an answer of the owner', () => {
  it('approves: what it held is runnable at once, and the asker is told [R37]', () => {
    const given = givenGoal(['a']);
    given.do('ann', ask({ blocks: { todos: ['T1'] } }));
    given.owned(answer('G1', ' YES ', 'go'));
    expect(given.gate('G1')).toMatchObject({ state: 'answered', answer: { option: 'yes', words: 'go', name: 'Olga' } });
    expect(given.told('ann')).toEqual(['gate-answered']);
    given.do('bob', claim('T1'));
  });

  it('denies: the blocked todos are blocked with the owner’s words, and only the owner lifts that [R37]', () => {
    const given = givenGoal(['a', { title: 'b', after: ['T1'] }]);
    given.do('ann', claim('T1'));
    given.do('ann', ask({ blocks: { todos: ['T1'] } }));
    given.owned(answer('G1', 'no', 'too risky'));
    expect(given.todo('T1')).toMatchObject({
      state: 'blocked',
      deniedBy: 'G1',
      reason: expect.stringContaining('too risky'),
    });
    expect(given.claim('T1')).toBeUndefined();
    for (const state of ['open', 'blocked', 'deferred', 'dropped'] as const) {
      given.refused(
        'ann',
        'gate-pending',
        update('T1', {
          state,
          reason: 'x',
          ...(state === 'deferred' && { resumeWhen: { at: '2030-01-01T00:00:00Z' } }),
        }),
      );
    }
    given.refused('ann', 'gate-pending', update('T1', { title: 'c' }));
    given.refused('ann', 'todo-blocked', claim('T1'));
    given.refused('ann', 'todo-blocked', claim('T2'));
    given.owned({ type: 'gate.lift', gate: 'G1' });
    given.do('ann', claim('T1'));
  });

  it('chooses: the choice is attached to what was blocked [R37]', () => {
    const given = givenGoal(['a']);
    const options = ['csv', 'tsv'].map((key) => ({ key, label: key, effect: 'choose' as const }));
    given.do('ann', ask({ blocks: { todos: ['T1'] }, options }));
    given.owned(answer('G1', 'tsv', 'tabs'));
    expect(given.todo('T1').choices).toEqual([{ gate: 'G1', option: 'tsv', label: 'tsv', words: 'tabs' }]);
    given.do('ann', claim('T1'));
  });

  it('counts once: the same again changes nothing, another is refused, an unknown option leaves it open [R37]', () => {
    const given = givenGoal(['a']);
    given.do('ann', ask());
    refusal(given.owner(answer('G1', 'maybe')), 'bad-argument');
    expect(given.gate('G1').state).toBe('open');
    given.owned(answer('G1'));
    const { version } = given.state;
    expect(given.owned(answer('G1')).repeat).toBeDefined();
    expect(given.state.version).toBe(version);
    refusal(given.owner(answer('G1', 'no')), 'not-allowed');
  });

  it('never comes from an agent, whatever it calls itself [R37]', () => {
    const given = givenGoal(['a']);
    given.do('ann', ask());
    for (const act of [answer('G1'), { type: 'gate.withdraw', gate: 'G1' }, { type: 'goal.pause', goal: 'parser' }]) {
      given.refused('boss', 'not-allowed', act as never);
      // The names of owners and of the control plane itself are nobody's to take.
      for (const name of ['owner', 'Owner:root', ' LOOPX ']) given.refused(name, 'bad-argument', act as never);
    }
    expect(given.gate('G1').state).toBe('open');
  });

  it('holds for exactly what was approved: a change of title, detail, scope or criteria opens the question again [R37]', () => {
    for (const change of [{ title: 'x' }, { detail: 'x' }, { scope: { paths: ['x'] } }, { acceptance: ['x'] }]) {
      const given = givenGoal(['a']);
      given.do('ann', ask({ blocks: { todos: ['T1'] } }));
      given.owned(answer('G1'));
      given.do('ann', claim('T1'));
      given.do('ann', update('T1', change));
      expect(given.gate('G1')).toMatchObject({ state: 'open', revision: 2 });
      expect(given.gate('G1').answer).toBeUndefined();
      given.refused('ann', 'gate-pending', finish('T1'));
    }
  });

  it('is not undone by notes, claims, states or priority [R37]', () => {
    const given = givenGoal(['a']);
    given.do('ann', ask({ blocks: { todos: ['T1'] } }));
    given.owned(answer('G1'));
    given.do('ann', update('T1', { note: 'x', priority: 'P0', capabilities: [] }));
    given.do('ann', claim('T1'));
    given.do('ann', writeback('T1', { todoState: 'blocked', reason: 'x' }));
    expect(given.gate('G1').state).toBe('answered');
  });
});

describe('a gate ends without an answer', () => {
  it.each(['gate.withdraw', 'gate.supersede'] as const)('by the owner (%s), and what it held goes on [R37]', (type) => {
    const given = givenGoal(['a']);
    given.do('ann', ask({ blocks: { todos: ['T1'] } }));
    given.owned({ type, gate: 'G1' });
    expect(given.gate('G1').state).toBe(type === 'gate.withdraw' ? 'withdrawn' : 'superseded');
    given.do('ann', claim('T1'));
    refusal(given.owner(answer('G1')), 'not-allowed');
  });

  it('by the kernel when its goal has ended', () => {
    const given = givenGoal(['a']);
    given.do('ann', ask({ blocks: { todos: ['T1'] } }));
    given.owned({ type: 'goal.stop', goal: 'parser' });
    expect(given.gate('G1').state).toBe('superseded');
  });
});

describe('an amendment', () => {
  it('changes exactly what was asked when the owner says yes, and nothing when they say no [R37]', () => {
    const given = givenGoal(['a'], { acceptance: ['fast'] });
    const amendment = { objective: 'Make it right', dropAcceptance: ['A1'], addAcceptance: ['right'] };
    given.do('ann', claim('T1'));
    given.do('ann', ask({ kind: 'amendment', amendment }));
    given.owned(answer('G1', 'no'));
    expect(given.goal()).toMatchObject({ objective: 'Make the parser fast', objectiveVersion: 1 });
    given.do('ann', ask({ amendment }));
    given.owned(answer('G2'));
    expect(given.goal()).toMatchObject({ objective: 'Make it right', objectiveVersion: 2 });
    expect(given.goal().acceptance).toMatchObject([
      { id: 'A1', dropped: expect.any(String) },
      { id: 'A2', text: 'right' },
    ]);
    expect(given.told('ann')).toContain('owner-changed-goal');
  });

  it('of what a goal’s owner may change only: other fields are no part of it [R24, R37]', () => {
    const given = givenGoal(['a']);
    const sly = { objective: 'x', status: 'done', spends: [], quota: { tokens: 5, spends: 1 }, scope: { x: ['y'] } };
    given.owned({ type: 'goal.amend', goal: 'parser', amendment: sly as never });
    expect(given.goal()).toMatchObject({ status: 'active', objective: 'x', quota: { tokens: 5 } });
    expect(given.goal().quota).not.toHaveProperty('spends');
    expect(given.goal().scope).toEqual({ paths: [], resources: [], denyPaths: [] });
    refusal(
      given.owner({ type: 'goal.amend', goal: 'parser', amendment: { status: 'done' } as never }),
      'bad-argument',
    );
  });

  it('that could not be applied is refused when it is asked [R24]', () => {
    const given = givenGoal(['a']);
    given.refused('ann', 'bad-argument', ask({ amendment: { dropAcceptance: ['A1'] } }));
    given.refused('ann', 'bad-argument', ask({ amendment: {} }));
    given.refused('ann', 'bad-argument', ask({ amendment: { quota: { compute: 7 } } }));
    given.refused('ann', 'bad-argument', ask({ kind: 'amendment' }));
    given.refused('ann', 'bad-argument', ask({ kind: 'decision', amendment: { title: 'x' } }));
  });
});

describe('the completion gate', () => {
  it('opens by itself when every criterion is met by fresh evidence; the owner’s yes ends the goal [R37, R39]', () => {
    const given = givenGoal([{ title: 'a', covers: ['A1'] }], { acceptance: ['fast'] });
    given.do('ann', claim('T1'));
    given.do('ann', finish('T1'));
    expect(given.gate('G1')).toMatchObject({
      kind: 'completion',
      state: 'open',
      context: expect.stringContaining('claimed'),
    });
    expect(given.row('ann')).toBe('ask_human gate-completion');
    given.owned(answer('G1'));
    expect(given.goal().status).toBe('done');
    expect(given.row('ann')).toBe('stop goal-done');
  });

  it('opens for a goal without criteria when its last open todo is done', () => {
    const given = givenGoal(['a', 'b']);
    given.do('ann', claim('T1'));
    given.do('ann', finish('T1'));
    expect(given.state.gates.size).toBe(0);
    given.do('ann', claim('T2'));
    given.do('ann', finish('T2'));
    expect(given.gate('G1')).toMatchObject({ kind: 'completion', state: 'open' });
    given.do('ann', add('c'));
    expect(given.gate('G1').state).toBe('superseded');
  });

  it('opens again after a no only when something new is in [R37]', () => {
    const given = givenGoal([{ title: 'a', covers: ['A1'] }, 'b'], { acceptance: ['fast'] });
    given.do('ann', claim('T1'));
    given.do('ann', finish('T1'));
    given.owned(answer('G1', 'no', 'faster'));
    given.do('ann', claim('T2'));
    given.do('ann', note('T2'));
    expect(given.state.gates.size).toBe(1);
    given.do('ann', finish('T2'));
    expect(given.gate('G2')).toMatchObject({ kind: 'completion', state: 'open' });
  });

  it('cannot be accepted on evidence that went stale meanwhile, and is not waited for then [R37, R39]', () => {
    const given = givenGoal([{ title: 'a', covers: ['A1'] }], { acceptance: ['fast'] });
    given.files['bench.txt'] = 'one';
    given.do('ann', claim('T1'));
    given.do('ann', finish('T1', { files: ['bench.txt'] }));
    expect(given.row('ann')).toBe('ask_human gate-completion');
    given.files['bench.txt'] = 'two';
    expect(refusal(given.owner(answer('G1')), 'evidence-missing').details.missing).toMatchObject([{ criterion: 'A1' }]);
    expect(given.row('ann')).toBe('replan nothing-left');
    given.owned(answer('G1', 'no'));
  });
});

describe('an approval of the whole goal', () => {
  it('is asked again when the objective it approved has changed [R37]', () => {
    const given = givenGoal(['a']);
    given.do('ann', { type: 'gate.ask', question: 'Begin?', blocks: { goal: true } });
    given.owned({ type: 'gate.answer', gate: 'G1', option: 'yes' });
    given.owned({ type: 'goal.amend', goal: 'parser', amendment: { objective: 'Something else' } });
    expect(given.gate('G1')).toMatchObject({ state: 'open', revision: 2 });
    expect(given.decision('ann').code).toBe('gate-goal');
  });
});
