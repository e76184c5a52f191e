import { afterAll, beforeAll, expect, test } from 'vitest';
import { kebab } from '../../src/cli/flags.ts';
import { usageOf } from '../../src/cli/tool-commands.ts';
import { tools } from '../../src/tools/registry.ts';
import { fullSchema } from '../../src/tools/wire-schema.ts';
import { Place } from './loopx.ts';

const place = new Place();
const run = place.run.bind(place);

beforeAll(() => {
  const started = place.as('ann', 'goal', 'start', '--goal', 'g', '--objective', 'Ship it', '--acceptance', 'it works');
  expect(started).toMatchObject({ ok: true, goal: { goal: 'g', acceptance: [{ id: 'A1', text: 'it works' }] } });
});

afterAll(() => place.remove());

test.each(tools.map((tool) => [usageOf(tool), tool] as const))(
  'loopx %s has a flag for every argument [R34]',
  (usage, tool) => {
    const { code, stdout } = run([...usage.split(' '), '--help']);
    expect(code).toBe(0);
    for (const name of Object.keys(fullSchema(tool).properties ?? {})) expect(stdout).toContain(`--${kebab(name)} `);
  },
);

test('the JSON is one line, the same facts as over MCP, and nothing else is on stdout [R34]', () => {
  const { code, stdout, stderr, json } = run(['goal', 'status', '--json'], { env: { LOOPX_AGENT: 'ann' } });
  expect({ code, stderr, lines: stdout.trimEnd().split('\n').length }).toEqual({ code: 0, stderr: '', lines: 1 });
  expect(json).toMatchObject({ ok: true, you: 'ann', goal: { goal: 'g' }, workspace: place.project });
});

test('lists come as JSON, as one bare word, or as the flag given again', () => {
  const added = place.as(
    'ann',
    'todo',
    'add',
    '--todos',
    '[{"title":"one","scope":{"paths":["a/**"]}},{"title":"two"}]',
  );
  expect(added).toMatchObject({ ok: true, todos: [{ todo: 'T1', scope: { paths: ['a/**'] } }, { todo: 'T2' }] });
  const lists = [
    ['--capabilities', 'web'],
    ['--capabilities', '["web"]'],
  ].map((flags) => place.as('ann', 'agent', 'join', '--agent', 'lister', ...flags));
  for (const joined of lists) expect(joined).toMatchObject({ ok: true, agent: { capabilities: ['web'] } });
  const twice = place.as('ann', 'agent', 'join', '--agent', 'lister', '--capabilities', 'web', '--capabilities', 'db');
  expect(twice).toMatchObject({ agent: { capabilities: ['web', 'db'] } });
});

test('a flag that takes true or false may stand alone', () => {
  expect(place.as('bob', 'quota', 'should-run', '--claim')).toMatchObject({
    decision: 'run',
    claim: { holder: 'bob' },
  });
  expect(place.as('cat', 'quota', 'should-run', '--claim', 'false').claim).toBeUndefined();
});

test('--agent and LOOPX_AGENT say who acts, and a refused write ends with 1', () => {
  const held = run(['todo', 'claim', '--todo', 't1', '--agent', 'cat', '--json'], { env: { LOOPX_AGENT: 'ann' } });
  expect(held.code).toBe(1);
  expect(held.json).toMatchObject({ ok: false, code: 'claim-held', you: 'cat', details: { holder: 'bob' } });
});

test('the filter of a history by agent is not who asks', () => {
  const history = run(['goal', 'status', '--view', 'history', '--agent', 'bob', '--json'], {
    env: { LOOPX_AGENT: 'ann' },
  });
  expect(history.json.you).toBe('ann');
  expect(history.json.history.map((one: { by: string }) => one.by)).toEqual(['bob']);
});

test('the same idempotency key takes effect once, from another process too [R27]', () => {
  const add = () => place.as('ann', 'todo', 'add', '--todos', '[{"title":"once"}]', '--idempotency-key', 'k1');
  const [first, again] = [add(), add()];
  expect(again).toMatchObject({ replayed: true, todos: [{ todo: first.todos[0].todo }] });
});

test.each([
  [['todo', 'claim', '--nonsense', '1'], 'nonsense'],
  [['todo', 'claim', 'T1'], ''],
  [['nonsense'], 'nonsense'],
  [['todo', 'nonsense'], 'nonsense'],
  [['todo', 'update', '--note', 'x'], 'todo'],
  [['todo', 'claim', '--ttl-s', 'soon'], 'ttlS'],
  [['todo', 'claim', '--todo', 'T1', '--todo', 'T2'], 'todo'],
  [['todo', 'add', '--todos', 'write it'], 'todos'],
  [['todo', 'add', '--todos', '[{"titel":"x"}]'], 'todos[0].titel'],
  [['handoff', '--todo', 'T1', '--summary', 's', '--to', '{"agentt":"bob"}'], 'to.agentt'],
  [['goal', 'status', '--view', 'everything'], 'view'],
])('wrong use ends with 2, names the field and changes nothing: %j', (args, field) => {
  const before = place.as('ann', 'goal', 'status').version;
  const { code, json } = run([...args, '--json']);
  expect(code).toBe(2);
  expect(json).toMatchObject({ ok: false, code: 'bad-argument', details: { field: expect.stringContaining(field) } });
  expect(place.as('ann', 'goal', 'status').version).toBe(before);
});

test('without a workspace the refusal is JSON on stdout, says what was tried, and writes nothing [R9]', () => {
  for (const cwd of [place.home, '/']) {
    const { code, json } = run(['goal', 'status', '--json'], { cwd });
    expect(code).toBe(1);
    expect(json).toMatchObject({
      ok: false,
      code: 'no-workspace',
      details: { tried: [{ source: 'cwd', value: cwd }] },
    });
  }
});

test('--workspace is the same place from anywhere, before the command or after it [R12]', () => {
  for (const args of [
    ['goal', 'status', '--workspace', place.project, '--json'],
    ['--workspace', place.project, '--json', 'goal', 'status'],
  ])
    expect(run(args, { cwd: '/' }).json).toMatchObject({ ok: true, workspace: place.project });
});

test('people get a short text, and a refusal on stderr with commands that would help', () => {
  const status = run(['goal', 'status']);
  expect(status.stdout).toContain('Ship it (g): active');
  expect(status.stdout).toContain('A1 open: it works');
  const refused = run(['todo', 'claim', '--todo', 'T1']);
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toMatch(/T1.*bob.*\[claim-held\]/s);
});

test('what peers wrote cannot paint on the terminal', () => {
  place.as('ann', 'todo', 'add', '--todos', JSON.stringify([{ title: 'wipe \u001b[2J\u202eit', priority: 'P0' }]));
  const { stdout } = run(['goal', 'status']);
  expect(stdout).toContain('wipe \ufffd[2J\ufffdit');
});

test('a store that cannot be read ends with 3 [R14]', async () => {
  const broken = new Place();
  try {
    broken.as('ann', 'goal', 'start', '--objective', 'x');
    const { readdirSync, readFileSync, writeFileSync } = await import('node:fs');
    const log = `${broken.project}/.loopx/log/${readdirSync(`${broken.project}/.loopx/log`)[0]}`;
    writeFileSync(log, readFileSync(log, 'utf8').replace('"v":1', '"v":9'));
    const { code, json } = broken.run(['goal', 'status', '--json']);
    expect({ code, ok: json.ok }).toEqual({ code: 3, ok: false });
  } finally {
    broken.remove();
  }
});
