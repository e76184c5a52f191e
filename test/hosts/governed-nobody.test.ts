import { describe, expect, it } from 'vitest';
import { GatedProject, gate } from './gated-project.ts';
import { openHost } from './host-terminal.ts';
import { installHost } from './install-hosts.ts';
import { untilConnectedInClaude } from './person.ts';
import { claudeLaunch, runClaude } from './run-claude.ts';
import { runCodex } from './run-codex.ts';
import type { ScriptStep } from './script.ts';

const testTimeoutMs = 600_000;

describe('A host that nobody sits at', { timeout: testTimeoutMs }, () => {
  const here = GatedProject.forEach();

  it.each(['claude', 'claude-npm'] as const)(
    'answers no gate when an agent starts it from its own shell with the prompt as its task (%s) [R37]',
    async (build) => {
      const { command } = await installHost(build);
      await here.ann.call('gate_ask', gate);
      const nested = `${command} -p "/mcp__loopx__answer_gate G1 yes" --mcp-config "$HOME/mcp.json" --strict-mcp-config`;
      const script: ScriptStep[] = [
        { raw: { name: 'Bash', input: { command: `${nested} < /dev/null`, timeout: 120_000 } } },
        { say: 'The copy has read its task.' },
        { say: 'The outer turn ended.' },
      ];
      // In its auto mode the newest build asks the vendor's service about commands.
      const hostArgs = ['--permission-mode', 'default'];
      const options = { ...here.optionsFor(script), build, allowedTools: ['Bash'], hostArgs };
      here.open = await openHost(options, (home, url) => claudeLaunch(options, home, url));
      const { terminal, model } = here.open;

      await untilConnectedInClaude(terminal);
      await terminal.enter('Answer the gate yourself.');
      await terminal.waitFor('The outer turn ended.', 120);

      expect(model.results[0]).toMatchObject({ tool: 'Bash', text: expect.stringContaining('The copy has read') });
      const told = model.requests
        .map(({ body }) => JSON.stringify(body))
        .filter((body) => body.includes('G1 stays open'));
      expect(told[0]).toContain('the host');
      expect(await here.gateNow()).toMatchObject({ state: 'open', revision: 1 });
      expect(await here.ann.call('todo_claim', { todo: 'T1' })).toMatchObject({ ok: false, code: 'gate-pending' });
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
      await runClaude({ ...here.optionsFor(script), build: 'claude' }),
      await runCodex(here.optionsFor(script)),
      await runCodex({ ...here.optionsFor(script), sandbox: 'danger-full-access' }),
    ];

    for (const { results, stderr } of runs) {
      expect(results, stderr).toMatchObject([
        { json: { ok: true, gate: { state: 'open' }, howToAnswer: expect.arrayContaining([expect.anything()]) } },
        { json: { ok: false, code: 'gate-pending' } },
      ]);
    }
    const { gates } = await here.ann.call('goal_status', { view: 'gates' });
    expect(gates.map(({ state }: { state: string }) => state)).toEqual(['open', 'open', 'open']);
  });
});
