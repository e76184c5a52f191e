import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HostTerminal, openHost } from './host-terminal.ts';
import { chooseInClaude, chooseInCodex, untilConnectedInClaude } from './person.ts';
import { claudeLaunch } from './run-claude.ts';
import { codexLaunch } from './run-codex.ts';
import type { ScriptStep } from './script.ts';

const fixture = fileURLToPath(new URL('fixture-server.mjs', import.meta.url));
const testTimeoutMs = 600_000;

describe('A person at the terminal', () => {
  let projectDir = '';
  let open: HostTerminal | undefined;

  beforeEach(async () => {
    projectDir = await mkdtemp(join(tmpdir(), 'loopx-project-'));
    execFileSync('git', ['init', '--quiet'], { cwd: projectDir });
  });

  afterEach(async () => {
    await open?.close();
    open = undefined;
    await rm(projectDir, { recursive: true, force: true });
  });

  const optionsFor = (script: ScriptStep[]) => ({
    projectDir,
    server: { command: process.execPath, args: [fixture], env: { FIXTURE_LOG: join(projectDir, 'log') } },
    script,
  });

  const lastLogged = async () =>
    JSON.parse((await readFile(join(projectDir, 'log'), 'utf8')).trim().split('\n').at(-1)!);

  it.each(['claude', 'claude-npm'] as const)(
    'answers the form of a tool and of a slash command in Claude Code (%s)',
    async (build) => {
      const options = optionsFor([{ tool: 'gate_ask' }, { say: 'Turn one ended.' }, { say: 'Turn two ended.' }]);
      open = await openHost(options, (home, url) => claudeLaunch({ ...options, build }, home, url));
      const { terminal, model } = open;

      await untilConnectedInClaude(terminal);
      await terminal.enter('Ask the owner.');
      await chooseInClaude(terminal, 'reject');
      await terminal.waitFor('Turn one ended.');
      expect(model.results.map(({ json }) => json)).toEqual([{ ok: true, gate: 'G1', answer: 'reject' }]);

      await terminal.enter('/mcp__loopx__answer_gate G2');
      await chooseInClaude(terminal, 'approve');
      await terminal.waitFor('Turn two ended.');
      expect(model.system).toContain('The owner chose approve at G2.');
      expect(await lastLogged()).toMatchObject({ prompt: 'answer_gate', gate: 'G2' });
    },
    testTimeoutMs,
  );

  it('answers the form of a tool in Codex', { timeout: testTimeoutMs }, async () => {
    const options = optionsFor([{ tool: 'gate_ask' }, { say: 'Turn one ended.' }]);
    open = await openHost(options, (home, url) => codexLaunch({ ...options, approvalPolicy: 'on-request' }, home, url));
    const { terminal, model } = open;

    await terminal.waitFor('? for shortcuts');
    await terminal.settle();
    await terminal.enter('Ask the owner.');
    await chooseInCodex(terminal, 'reject');
    await terminal.waitFor('Turn one ended.');
    expect(model.results.map(({ json }) => json)).toEqual([{ ok: true, gate: 'G1', answer: 'reject' }]);
    expect(await lastLogged()).toMatchObject({ responses: { owner: { action: 'accept' } } });
  });
});
