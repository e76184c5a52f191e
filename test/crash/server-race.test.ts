import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LoopxClient } from '../e2e/loopx-client.ts';
import { Project } from '../e2e/project.ts';
import { readByTheRule } from './independent-reader.ts';

const rounds = Number(process.env.LOOPX_RACE_ROUNDS ?? 3);
const processes = 8;
const parallel = 20;

let project: Project;
beforeEach(async () => {
  project = await Project.make();
});
afterEach(() => project.remove());

async function startAll(): Promise<readonly LoopxClient[]> {
  const clients = await Promise.all(Array.from({ length: processes }, (_, at) => project.client(`agent${at}`)));
  await clients[0]?.call('goal_start', { objective: 'race', acceptance: ['nothing is lost'] });
  return clients;
}

/** Titles of all todos by their id, as the bytes of the log say. */
function todosInLog(): ReadonlyMap<string, string> {
  const events = readByTheRule(join(project.dir, '.loopx', 'log')).flatMap((commit) => commit.events) as {
    type?: string;
    todo?: string;
    spec?: { title?: string };
  }[];
  return new Map(
    events.flatMap(({ type, todo, spec }) => (type === 'todo.added' ? [[todo ?? '', spec?.title ?? ''] as const] : [])),
  );
}

/** Sends all calls of a round before any answer is read; answers the acknowledged titles by id. */
async function addInParallel(client: LoopxClient, name: string): Promise<readonly (readonly [string, string])[]> {
  const titles = Array.from({ length: parallel }, (_, at) => `${name} todo ${at}`);
  const answers = await Promise.allSettled(titles.map((title) => client.call('todo_add', { todos: [{ title }] })));
  return answers.flatMap((answer, at) => {
    if (answer.status === 'rejected') return [];
    expect(answer.value).toMatchObject({ ok: true });
    return [[answer.value.todos[0].todo as string, titles[at] as string] as const];
  });
}

test(`8 servers with 20 parallel writes each keep all of ${rounds} rounds over stdio [R3] [R13]`, async () => {
  const clients = await startAll();
  const acknowledged: (readonly [string, string])[] = [];
  for (let round = 1; round <= rounds; round++) {
    const added = await Promise.all(clients.map((client, at) => addInParallel(client, `round ${round} by ${at}`)));
    acknowledged.push(...added.flat());
  }
  expect(acknowledged).toHaveLength(rounds * processes * parallel);
  expect(new Map(acknowledged)).toEqual(todosInLog());
}, 240_000);

test('servers killed in the middle of their writes lose nothing that they acknowledged [R14]', async () => {
  const clients = await startAll();
  const victims = clients.slice(0, 4);
  const writing = Promise.all(clients.map((client, at) => addInParallel(client, `by ${at}`)));
  for (const victim of victims) {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 60));
    process.kill(victim.pid, 'SIGKILL');
  }
  const acknowledged = (await writing).flat();
  const todos = todosInLog();
  expect(acknowledged.length).toBeGreaterThanOrEqual(4 * parallel);
  for (const [todo, title] of acknowledged) expect(todos.get(todo)).toBe(title);
}, 120_000);
