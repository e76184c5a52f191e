import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Query } from '../../src/state/answer.ts';
import { type Body, Workspace, work } from './workspace.ts';

/** A fault in what is shown: an answer to one kind of question, edited on its way to everybody. */
type Fault = (shown: Body, query: Body) => void;
const planted = vi.hoisted(() => ({
  isIn: (_: unknown): boolean => false,
  edit: (_shown: unknown, _query: unknown): unknown => undefined,
}));

vi.mock('../../src/state/audit-workspace.ts', async (original) => {
  const { auditWorkspace } = await original<typeof import('../../src/state/audit-workspace.ts')>();
  const { read } = await import('../../src/state/reads.ts');
  const edited: typeof read = async (reads, query, actor, signal) => {
    const shown = structuredClone(await read(reads, query, actor, signal));
    if (planted.isIn(query)) planted.edit(shown, query);
    return shown;
  };
  return {
    auditWorkspace: (...args: Parameters<typeof auditWorkspace>) =>
      auditWorkspace(args[0], args[1], args[2], args[3], edited),
  };
});

const ofView = (view?: string) => (query: Body) =>
  query.type === 'goal.status' && query.goal !== 'docs' && query.view === view && query.id === undefined;
const ofType = (type: Query['type']) => (query: Body) => query.type === type && query.goal !== 'docs';
const whole = (view: string) => (query: Body) => ofView(view)(query) && query.state === undefined;
const item = (list: string, id: string, edit: (one: Body) => void): Fault => {
  const field = list === 'evidence' ? 'evidence' : list.slice(0, -1);
  return (shown) => shown[list].filter((one: Body) => one[field] === id).forEach(edit);
};
const without =
  (list: string): Fault =>
  (shown) => {
    shown[list].splice(0, 1);
    shown.shown--;
  };
const line =
  (from: RegExp | string, to: string): Fault =>
  (shown) => {
    shown.board = shown.board.replace(from, to);
  };

/** What is shown wrong, to which questions, how, and what the audit must say of it: the surface and the fact. */
const faults: readonly (readonly [string, (query: Body) => boolean, Fault, string, string])[] = [
  ['a count of todos', ofView(), (s) => s.counts.todos.open++, 'goal_status parser', 'todos open'],
  ['a sleeper counted as asleep', ofView(), (s) => s.counts.todos.deferred++, 'goal_status parser', 'todos deferred'],
  ['a count of gates', ofView(), (s) => s.counts.gates.open--, 'goal_status parser', 'gates open'],
  ['a count of evidence', ofView(), (s) => s.counts.evidence++, 'goal_status parser', 'evidence'],
  ['a status', ofView(), (s) => (s.goal.status = 'done'), 'goal_status parser', 'status'],
  ['an objective', ofView(), (s) => (s.goal.objective = 'Else'), 'goal_status parser', 'objective'],
  ['a criterion left out', ofView(), (s) => s.goal.acceptance.pop(), 'goal_status parser', 'criteria'],
  [
    'the text of a criterion',
    ofView(),
    (s) => (s.goal.acceptance[0].text = 'It runs'),
    'goal_status parser',
    'criterion A1',
  ],
  [
    'a dropped criterion',
    ofView(),
    (s) => (s.goal.acceptance[1].state = 'open'),
    'goal_status parser',
    'criterion A2 dropped',
  ],
  [
    'evidence that failed',
    ofView(),
    (s) => (s.goal.acceptance[0].evidence = 'E2'),
    'goal_status parser',
    'criterion A1 met by E2',
  ],
  ['an open gate left out', ofView(), (s) => (s.gates = []), 'goal_status parser', 'open gates'],
  ['the question of a gate', ofView(), (s) => (s.gates[0].question = 'Tea?'), 'goal_status parser', 'question of G'],
  ['a total of gates', ofView(), (s) => s.total.gates++, 'goal_status parser', 'open gates total'],
  ['the holder of a claim', ofView(), (s) => (s.claims[0].holder = 'bob'), 'goal_status parser', 'claim of T7'],
  ['the token of a claim', ofView(), (s) => s.claims[0].token++, 'goal_status parser', 'claim of T7'],
  ['a claim left out', ofView(), (s) => s.claims.pop(), 'goal_status parser', 'claims listed'],
  ['a number of claims shown', ofView(), (s) => s.shown.claims++, 'goal_status parser', 'claims shown'],
  ['slots spent', ofView('quota'), (s) => s.budget.slots.spent--, 'view=quota parser', 'slots spent'],
  ['tokens spent', ofView('quota'), (s) => s.budget.tokens.spent++, 'view=quota parser', 'tokens spent'],
  ['slots allowed', ofView('quota'), (s) => s.budget.slots.allowed++, 'view=quota parser', 'slots allowed'],
  ['a quota', ofView('quota'), (s) => (s.quota.windowH = 1), 'view=quota parser', 'quota'],
  ['a todo missing from a list', whole('todos'), without('todos'), 'view=todos parser', 'missing'],
  ['a todo that is not there', whole('todos'), (s) => (s.todos[0].todo = 'T99'), 'view=todos parser', 'not in the log'],
  ['a todo twice', whole('todos'), (s) => s.todos.push(s.todos[0]), 'view=todos parser', 'shown'],
  ['todos out of order', whole('todos'), (s) => s.todos.reverse(), 'view=todos parser', 'ids'],
  ['a total of todos', whole('todos'), (s) => s.total++, 'view=todos parser', 'total'],
  [
    'the state of a todo',
    whole('todos'),
    item('todos', 'T2', (t) => (t.state = 'done')),
    'view=todos parser',
    'T2 state',
  ],
  ['a title', whole('todos'), item('todos', 'T2', (t) => (t.title = 'Write…')), 'view=todos parser', 'T2 title'],
  [
    'a priority',
    whole('todos'),
    item('todos', 'T2', (t) => (t.priority = 'P3')),
    'view=todos parser',
    'T2 kind and priority',
  ],
  [
    'evidence of a todo',
    whole('todos'),
    item('todos', 'T1', (t) => (t.evidence = [])),
    'view=todos parser',
    'T1 evidence',
  ],
  [
    'a claim nobody has',
    whole('todos'),
    item('todos', 'T2', (t) => (t.claim = { holder: 'ann', token: 3, ttlS: 60 })),
    'view=todos parser',
    'claim of T2',
  ],
  ['a total by state', ofView('todos'), (s, q) => q.state === 'open' && s.total--, 'view=todos parser', 'open total'],
  ['a gate missing from a list', whole('gates'), without('gates'), 'view=gates parser', 'missing'],
  [
    'the state of a gate',
    whole('gates'),
    item('gates', 'G2', (g) => (g.state = 'answered')),
    'view=gates parser',
    'G2 state',
  ],
  [
    'an answer nobody gave',
    whole('gates'),
    item('gates', 'G2', (g) => (g.answer = { option: 'yes' })),
    'view=gates parser',
    'G2 answer',
  ],
  [
    'a gate by another digest',
    whole('gates'),
    item('gates', 'G2', (g) => (g.subjectDigest = 'ab')),
    'view=gates parser',
    'G2 revision',
  ],
  ['evidence missing from a list', whole('evidence'), without('evidence'), 'view=evidence parser', 'missing'],
  [
    'a result',
    whole('evidence'),
    item('evidence', 'E2', (e) => (e.result = 'pass')),
    'view=evidence parser',
    'E2 kind and result',
  ],
  [
    'a grade',
    whole('evidence'),
    item('evidence', 'E2', (e) => (e.grade = 'owner')),
    'view=evidence parser',
    'E2 grade',
  ],
  ['a goal missing from the list', ofType('goals'), without('goals'), 'goals', 'first'],
  ['a total of goals', ofType('goals'), (s) => s.total++, 'goals', 'total'],
  [
    'a status in the list of goals',
    ofType('goals'),
    item('goals', 'docs', (g) => (g.status = 'active')),
    'goals',
    'status',
  ],
  ['a number of agents', ofView('agents'), (s) => s.total++, 'view=agents', 'total'],
  ['what an agent holds', ofView('agents'), item('agents', 'ann', (a) => (a.holds = [])), 'view=agents', 'ann holds'],
  ['a count of the history', ofView('history'), (s) => s.count++, 'view=history parser', 'commits count'],
  [
    'gates of quota_should_run',
    ofType('quota.should-run'),
    (s) => s.gatesTotal++,
    'quota_should_run parser',
    'open gates total',
  ],
  [
    'an objective that has changed',
    ofType('quota.should-run'),
    (s) => s.objective.version--,
    'quota_should_run parser',
    'objective version',
  ],
  [
    'counts of the review packet',
    ofType('review.packet'),
    (s) => s.packet.whatChanged.counts.todos.done++,
    'review_packet parser',
    'todos done',
  ],
  ['a commit as it is handed out', ofType('log.read'), (s) => (s.commits[2].events = []), 'log.read', 'commit '],
  ['a column of the board', ofType('board'), line(/\n## open \(\d\)/, '\n## open (9)'), 'board parser', 'open count'],
  ['a column left out', ofType('board'), line(/## deferred(.|\n)*?\n## /, '## '), 'board parser', 'deferred count'],
  ['a card left out', ofType('board'), line(/- \*\*T2\*\*.*\n/, ''), 'board parser', 'open cards'],
  ['a card in another column', ofType('board'), line('- **T2**', '- **T1**'), 'board parser', 'T1 column'],
  ['the holder on a card', ofType('board'), line('— ann', '— bob'), 'board parser', 'T7 holder'],
  ['a gate left off the board', ofType('board'), line(/> G2 waits.*\n/, ''), 'board parser', 'open gates'],
  [
    'the status on the board',
    ofType('board'),
    line('parser, active', 'parser, done'),
    'board parser',
    'goal and status',
  ],
  ['a surface that refuses', ofType('board'), (s) => (s.ok = false), 'board parser', 'answer'],
];

describe('The audit finds a fault planted in what is shown:', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await Workspace.open();
    await work(workspace);
  });
  afterAll(() => workspace.remove());

  it.each(faults)('%s', async (_, isIn, edit, surface, fact) => {
    Object.assign(planted, { isIn, edit });
    const audit = await workspace.audit();
    planted.isIn = () => false;
    const found = audit.differences.map((one: Body) => `${one.surface}: ${one.fact}`);
    expect(audit.clean).toBe(false);
    expect(found).toContainEqual(expect.stringContaining(`${surface}: ${fact}`));
  });

  it('a cursor that leads in a circle', async () => {
    planted.isIn = whole('todos');
    planted.edit = (shown) => ((shown as Body).nextCursor = 'T1');
    const audit = await workspace.audit();
    planted.isIn = () => false;
    expect(audit.differences).toContainEqual(
      expect.objectContaining({ surface: 'view=todos parser', fact: 'next page' }),
    );
  });

  it('more of them than fit 8 KB, of which it tells how many', async () => {
    Object.assign(planted, {
      isIn: () => true,
      edit: (shown: Body) => {
        for (const list of ['todos', 'gates', 'evidence'])
          for (const one of Array.isArray(shown[list]) ? shown[list] : [])
            Object.assign(one, {
              title: 'x'.repeat(400),
              state: 'y'.repeat(300),
              version: 0,
              kind: 'z',
              result: '',
              question: '',
            });
      },
    });
    const audit = await workspace.audit();
    planted.isIn = () => false;
    expect(Buffer.byteLength(JSON.stringify(audit))).toBeLessThan(8_192);
    expect(audit.shown).toBe(audit.differences.length);
    expect(audit.total).toBeGreaterThan(audit.shown);
  });

  it('evidence shown fresh whose file has changed, when it is deep', async () => {
    workspace.file('a.txt', 'another');
    Object.assign(planted, {
      isIn: (query: Body) => query.view === 'evidence' || query.id === 'E1',
      edit: (shown: Body) => {
        for (const one of Array.isArray(shown.evidence) ? shown.evidence : [shown.evidence]) one.fresh = true;
      },
    });
    const [shallow, deep] = [await workspace.audit(), await workspace.audit({ deep: true })];
    planted.isIn = () => false;
    workspace.file('a.txt', 'one');
    expect(shallow).toMatchObject({ clean: true });
    expect(deep.differences).toEqual([
      { surface: 'files', fact: 'E1 fresh', shown: true, derived: 'a.txt has other content' },
    ]);
  });

  it('one thing shown alone, when it is deep', async () => {
    Object.assign(planted, {
      isIn: (query: Body) => query.id === 'G2',
      edit: (shown: Body) => (shown.gate.revision = 7),
    });
    const [shallow, deep] = [await workspace.audit(), await workspace.audit({ deep: true })];
    planted.isIn = () => false;
    expect(shallow).toMatchObject({ clean: true });
    expect(deep.differences).toContainEqual(
      expect.objectContaining({ surface: 'id=G2', fact: 'G2 revision and digest' }),
    );
  });

  it('and none when there is none', async () => {
    expect(await workspace.audit()).toMatchObject({ clean: true, differences: [], total: 0 });
  });
});
