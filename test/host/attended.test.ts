import { describe, expect, it } from 'vitest';
import { unattendedMark } from '../../src/host/attended.ts';

describe('the mark of a host that nobody sits at', () => {
  it.each([
    [{ CLAUDE_CODE_ENTRYPOINT: 'sdk-cli' }, {}],
    [{ CLAUDE_CODE_ENTRYPOINT: 'cli', CLAUDE_PID: '1' }, {}],
    [{ CLAUDE_CODE_EXECPATH: '/bin/claude' }, {}],
    [{ CLAUDE_CODE_SESSION_ATTENDED: '0' }, {}],
    [{ CLAUDE_EFFORT: 'high' }, {}],
    [{}, { 'x-codex-turn-metadata': { turn_trigger: 'exec' } }],
    [{}, { 'x-codex-turn-metadata': { sandbox_mode: 'danger-full-access' } }],
  ])('is seen in %o %o [R25]', (env, meta) => {
    expect(unattendedMark(env, meta)).toMatch(/host/);
  });

  it.each([
    [{ CLAUDE_CODE_ENTRYPOINT: 'cli', CLAUDECODE: '1' }, {}],
    [{}, undefined],
    [{}, { 'x-codex-turn-metadata': { turn_trigger: 'user', sandbox_mode: 'workspace-write' } }],
    [{}, { 'x-codex-turn-metadata': 'nonsense' }],
  ])('is not seen in %o %o [R25]', (env, meta) => {
    expect(unattendedMark(env, meta)).toBeUndefined();
  });
});
