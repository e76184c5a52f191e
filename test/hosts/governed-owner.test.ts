import { describe, expect, it } from 'vitest';
import { GatedProject, gate } from './gated-project.ts';
import { openHost } from './host-terminal.ts';
import { installHost } from './install-hosts.ts';
import { chooseInClaude, chooseInCodex, untilConnectedInClaude } from './person.ts';
import { claudeLaunch } from './run-claude.ts';
import { codexLaunch } from './run-codex.ts';

const testTimeoutMs = 600_000;

describe('The owner at the terminal', { timeout: testTimeoutMs }, () => {
  const here = GatedProject.forEach();

  it.each(['claude', 'claude-npm'] as const)(
    'answers a gate in Claude Code by the prompt and its form, and the agent goes on (%s) [R37]',
    async (build) => {
      await installHost(build);
      await here.ann.call('gate_ask', gate);
      const options = here.optionsFor([
        { tool: 'quota_should_run', args: { claim: true } },
        { say: 'Turn one ended.' },
      ]);
      here.open = await openHost(options, (home, url) => claudeLaunch({ ...options, build }, home, url));
      const { terminal, model } = here.open;

      await untilConnectedInClaude(terminal);
      await terminal.enter('/mcp__loopx__answer_gate G1');
      expect(await terminal.waitFor('requests your input')).toContain('Delete the old table?');
      await chooseInClaude(terminal, 'yes', 'the backup is checked');
      await terminal.waitFor('Turn one ended.');

      expect(model.system).toContain('The owner answered G1 "Delete the old table?": Delete it (yes).');
      expect(model.results[0]?.json).toMatchObject({ decision: 'run', todo: { todo: 'T1' }, claim: { holder: 'bob' } });
      expect(await here.gateNow()).toMatchObject({
        state: 'answered',
        answer: { option: 'yes', channel: 'prompt', grade: 'confirmed', words: 'the backup is checked' },
      });
    },
  );

  it('answers a gate in Codex by the form of gate_ask, and the model is told at once [R25, R37]', async () => {
    await installHost('codex');
    const options = here.optionsFor([
      { tool: 'gate_ask', args: { ...gate, askNow: true } },
      { say: 'Turn one ended.' },
    ]);
    here.open = await openHost(options, (home, url) =>
      codexLaunch({ ...options, approvalPolicy: 'on-request' }, home, url),
    );
    const { terminal, model } = here.open;

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
    expect(await here.ann.call('todo_claim', { todo: 'T1' })).toMatchObject({ ok: false, code: 'todo-blocked' });
  });
});
