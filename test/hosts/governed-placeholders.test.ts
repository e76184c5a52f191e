import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { type Body, mainFile } from '../e2e/loopx-client.ts';
import { Project } from '../e2e/project.ts';
import { type HostTerminal, openHost } from './host-terminal.ts';
import { installHost } from './install-hosts.ts';
import { opencodeLaunch } from './run-opencode.ts';

const testTimeoutMs = 600_000;

let project: Project | undefined;
let open: HostTerminal | undefined;

afterEach(async () => {
  await open?.close();
  await project?.remove();
});

it('changes nothing when OpenCode gets every prompt with placeholders, only to list its commands [R22]', {
  timeout: testTimeoutMs,
}, async () => {
  await installHost('opencode');
  project = await Project.make();
  const ann = await project.client('ann');
  await ann.call('goal_start', { goal: 'g', objective: 'Stay as it is', todos: [{ title: 'a' }] });
  await ann.call('gate_ask', { question: 'Go on?', blocks: { todos: ['T1'] } });
  const before = await ann.call('goal_status');

  // What the host sends is written down on its way into the server.
  const sent = join(project.dir, 'sent.jsonl');
  const server = { command: 'sh', args: ['-c', 'tee -a "$0" | "$1" "$2" serve', sent, process.execPath, mainFile] };
  const options = { projectDir: project.dir, server, script: [] };
  open = await openHost(options, (home, url) =>
    opencodeLaunch(options, home, url, ['serve', '--hostname', '127.0.0.1', '--port', '0']),
  );
  const screen = await open.terminal.waitFor(/listening on http:\S+/);
  const [, address] = /listening on (http:\S+)/.exec(screen) ?? [];
  const commands = (await (await fetch(`${address}/command`)).json()) as Body[];

  const prompts = (await ann.listPrompts()).map(({ name }) => name).sort();
  expect(prompts).toContain('answer_gate');
  const named = commands.map(({ name }) => String(name)).filter((name) => name.includes('loopx'));
  expect(named).toHaveLength(prompts.length);
  const asked = (await readFile(sent, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ method }) => method === 'prompts/get');
  expect(asked.map(({ params }) => params.name).sort()).toEqual(prompts);
  expect(asked.find(({ params }) => params.name === 'answer_gate').params.arguments).toMatchObject({ gate: '$1' });

  const after = await ann.call('goal_status');
  expect(after.version).toBe(before.version);
  expect(after).toMatchObject({ goal: { status: 'active' }, gates: [{ gate: 'G1' }], counts: { gates: { open: 1 } } });
});
