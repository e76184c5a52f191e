import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Body, LoopxClient } from './loopx-client.ts';
import { Project } from './project.ts';

describe('Arguments as models and hosts write them', () => {
  let project: Project;
  let ann: LoopxClient;

  beforeEach(async () => {
    project = await Project.make();
    ann = await project.client('ann');
    await ann.call('goal_start', {
      goal: 'g',
      objective: 'Tidy up',
      todos: [{ title: 'first' }, { title: 'second' }],
    });
  });

  afterEach(() => project.remove());

  it.each<[string, string, Body, Body]>([
    ['null for an absent one', 'todo_claim', { todo: 'T1', ttlS: null, goal: null }, { claim: { ttlS: 1_800 } }],
    ['"null" for an absent one', 'todo_claim', { todo: 'T1', ttlS: 'null' }, { claim: { ttlS: 1_800 } }],
    ['a number as text', 'todo_claim', { todo: 'T1', ttlS: '60' }, { claim: { ttlS: 60 } }],
    ['an id in small letters', 'todo_claim', { todo: ' t1 ' }, { todo: { todo: 'T1' } }],
    ['a truth value as text', 'quota_should_run', { claim: 'true' }, { claim: { holder: 'ann' } }],
    ['a list as JSON text', 'todo_add', { todos: '[{"title":"third"}]' }, { todos: [{ title: 'third' }] }],
    [
      'a lone text for a list',
      'todo_add',
      { todos: [{ title: 'third', after: 'T1' }] },
      { todos: [{ after: ['T1'] }] },
    ],
    ['an argument that there is not', 'todo_claim', { todo: 'T1', wait_for_previous: true }, { todo: { todo: 'T1' } }],
  ])('take %s [R24]', async (_, tool, args, expected) => {
    expect(await ann.raw(tool, args)).toMatchObject({ isError: false, body: { ok: true, ...expected } });
  });

  it.each<[string, string, Body, string]>([
    ['a number that is none', 'todo_claim', { todo: 'T1', ttlS: 'soon' }, 'ttlS'],
    ['a number out of its bounds', 'todo_claim', { todo: 'T1', ttlS: 0 }, 'ttlS'],
    ['a choice that there is not', 'todo_update', { todo: 'T1', state: 'finished' }, 'state'],
    ['an object for a text', 'todo_claim', { todo: { id: 'T1' } }, 'todo'],
    [
      'a missing field deep in a list',
      'todo_add',
      { todos: [{ title: 'third' }, { detail: 'no title' }] },
      'todos[1].title',
    ],
    ['a yes for a truth value', 'quota_should_run', { claim: 'yes' }, 'claim'],
  ])(
    'are refused by name for %s, with an example that is taken, and change nothing [R24, R26]',
    async (_, tool, args, field) => {
      const before = await ann.call('goal_status');
      const refused = await ann.raw(tool, args);
      expect(refused).toMatchObject({ isError: true, body: { ok: false, code: 'bad-argument', details: { field } } });
      expect(refused.body.message).toContain(field);
      expect(JSON.parse(refused.text)).toEqual(refused.body);
      expect((await ann.call('goal_status')).version).toBe(before.version);
      const example = await ann.call(tool, refused.body.next[0].arguments);
      expect(example.code, example.message).not.toBe('bad-argument');
    },
  );

  it('of six calls side by side, one of them bad, give the five good ones their effect once [R13, R26]', async () => {
    const answers = await Promise.all(
      ['a', 'b', 7, 'd', 'e', 'f'].map((note) => ann.raw('todo_update', { todo: 'T1', note })),
    );
    expect(answers.map(({ body }) => body.ok)).toEqual([true, true, false, true, true, true]);
    expect(answers[2]).toMatchObject({ isError: true, body: { code: 'bad-argument', details: { field: 'note' } } });
    const { todo } = await ann.call('goal_status', { id: 'T1' });
    expect(todo.notes.map(({ text }: Body) => text)).toEqual(['a', 'b', 'd', 'e', 'f']);
    const versions = answers.filter(({ body }) => body.ok).map(({ body }) => body.version);
    expect(new Set(versions).size).toBe(5);
  });
});
