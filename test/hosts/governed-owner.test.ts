import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LoopxClient, mainFile } from '../e2e/loopx-client.ts';
import { Project } from '../e2e/project.ts';
import { type HostTerminal, openHost } from './host-terminal.ts';
import { installHost } from './install-hosts.ts';
import { chooseInClaude, chooseInCodex, untilConnectedInClaude } from './person.ts';
import { claudeLaunch } from './run-claude.ts';
import { codexLaunch } from './run-codex.ts';
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

describe('The owner at the terminal', { timeout: testTimeoutMs }, () => {
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

  it.each(['claude', 'claude-npm'] as const)(
    'answers a gate in Claude Code by the prompt and its form, and the agent goes on (%s) [R37]',
    async (build) => {
      await installHost(build);
      await ann.call('gate_ask', gate);
      const options = optionsFor([{ tool: 'quota_should_run', args: { claim: true } }, { say: 'Turn one ended.' }]);
      open = await openHost(options, (home, url) => claudeLaunch({ ...options, build }, home, url));
      const { terminal, model } = open;

      await untilConnectedInClaude(terminal);
      await terminal.enter('/mcp__loopx__answer_gate G1');
      expect(await terminal.waitFor('requests your input')).toContain('Delete the old table?');
      await chooseInClaude(terminal, 'yes', 'the backup is checked');
      await terminal.waitFor('Turn one ended.');

      expect(model.system).toContain('The owner answered G1 "Delete the old table?": Delete it (yes).');
      expect(model.results[0]?.json).toMatchObject({ decision: 'run', todo: { todo: 'T1' }, claim: { holder: 'bob' } });
      expect((await ann.call('goal_status', { id: 'G1' })).gate).toMatchObject({
        state: 'answered',
        answer: { option: 'yes', channel: 'prompt', grade: 'confirmed', words: 'the backup is checked' },
      });
    },
  );

  it('answers a gate in Codex by the form of gate_ask, and the model is told at once [R25, R37]', async () => {
    await installHost('codex');
    const options = optionsFor([{ tool: 'gate_ask', args: { ...gate, askNow: true } }, { say: 'Turn one ended.' }]);
    open = await openHost(options, (home, url) => codexLaunch({ ...options, approvalPolicy: 'on-request' }, home, url));
    const { terminal, model } = open;

    await terminal.waitFor('? for shortcuts');
    await terminal.settle();
    await terminal.enter('Ask the owner.');
    await chooseInCodex(terminal, 'no', 'customers read it');
    await terminal.waitFor('Turn one ended.');

    expect(model.results[0]?.json).toMatchObject({
      ok: true,
      gate: { gate: 'G1', state: 'answered' },
      answer: { option: 'no', channel: 'elicitation', grade: 'confirmed', words: 'customers read it' },
    });
    expect(await ann.call('todo_claim', { todo: 'T1' })).toMatchObject({ ok: false, code: 'todo-blocked' });
  });
});
