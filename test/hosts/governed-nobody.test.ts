import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LoopxClient, mainFile } from '../e2e/loopx-client.ts';
import { Project } from '../e2e/project.ts';
import { type HostTerminal, openHost } from './host-terminal.ts';
import { installHost } from './install-hosts.ts';
import { untilConnectedInClaude } from './person.ts';
import { claudeLaunch, runClaude } from './run-claude.ts';
import { runCodex } from './run-codex.ts';
import type { ScriptStep } from './script.ts';

const testTimeoutMs = 600_000;
const server = { command: process.execPath, args: [mainFile, 'serve'], env: { LOOPX_AGENT: 'bob' } };
const gate = {
  question: 'Delete the old table?',
  kind: 'approval',
  options: [
    { key: 'yes', label: 'Delete it', effect: 'approve' },
    { key: 'no', label: 'Keep it', effect: 'deny' },
  ],
  blocks: { todos: ['T1'] },
};

describe('A host that nobody sits at', { timeout: testTimeoutMs }, () => {
  let project: Project;
  let ann: LoopxClient;
  let open: HostTerminal | undefined;

  beforeEach(async () => {
    project = await Project.make();
    ann = await project.client('ann');
    await ann.call('goal_start', { goal: 'g', objective: 'Tidy up', todos: [{ title: 'Delete the old table' }] });
  });

  afterEach(async () => {
    await open?.close();
    open = undefined;
    await project.remove();
  });

  const optionsFor = (script: ScriptStep[]) => ({ projectDir: project.dir, server, script });
  const gateNow = async () => (await ann.call('goal_status', { id: 'G1' })).gate;

  it.each(['claude', 'claude-npm'] as const)(
    'answers no gate when an agent starts it from its own shell with the prompt as its task (%s) [R37]',
    async (build) => {
      const { command } = await installHost(build);
      await ann.call('gate_ask', gate);
      const nested = `${command} -p "/mcp__loopx__answer_gate G1 yes" --mcp-config "$HOME/mcp.json" --strict-mcp-config`;
      const script: ScriptStep[] = [
        { raw: { name: 'Bash', input: { command: `${nested} < /dev/null`, timeout: 120_000 } } },
        { say: 'The copy has read its task.' },
        { say: 'The outer turn ended.' },
      ];
      // In its auto mode the newest build asks the vendor's service about commands.
      const hostArgs = ['--permission-mode', 'default'];
      const options = { ...optionsFor(script), build, allowedTools: ['Bash'], hostArgs };
      open = await openHost(options, (home, url) => claudeLaunch(options, home, url));
      const { terminal, model } = open;

      await untilConnectedInClaude(terminal);
      await terminal.enter('Answer the gate yourself.');
      await terminal.waitFor('The outer turn ended.', 120);

      expect(model.results[0]).toMatchObject({ tool: 'Bash', text: expect.stringContaining('The copy has read') });
      const told = model.requests
        .map(({ body }) => JSON.stringify(body))
        .filter((body) => body.includes('G1 stays open'));
      expect(told[0]).toContain('the host');
      expect(await gateNow()).toMatchObject({ state: 'open', revision: 1 });
      expect(await ann.call('todo_claim', { todo: 'T1' })).toMatchObject({ ok: false, code: 'gate-pending' });
    },
  );

  it('answers no gate by the form of gate_ask, whatever a headless host does with it [R25, R37]', async () => {
    const script: ScriptStep[] = [
      { tool: 'gate_ask', args: { ...gate, askNow: true } },
      { tool: 'todo_claim', args: { todo: 'T1' } },
      { say: 'Nobody answered.' },
    ];
    await installHost('claude');
    await installHost('codex');
    const runs = [
      await runClaude({ ...optionsFor(script), build: 'claude' }),
      await runCodex(optionsFor(script)),
      await runCodex({ ...optionsFor(script), sandbox: 'danger-full-access' }),
    ];

    for (const { results, stderr } of runs) {
      expect(results, stderr).toMatchObject([
        { json: { ok: true, gate: { state: 'open' }, howToAnswer: expect.arrayContaining([expect.anything()]) } },
        { json: { ok: false, code: 'gate-pending' } },
      ]);
    }
    const { gates } = await ann.call('goal_status', { view: 'gates' });
    expect(gates.map(({ state }: { state: string }) => state)).toEqual(['open', 'open', 'open']);
  });
});
