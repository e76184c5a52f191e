import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HookCall, HookEvent } from '../../src/hooks/hook-call.ts';
import { firstSession } from '../../src/hooks/session-chain.ts';

let stateDir = '';
beforeEach(() => {
  stateDir = join(mkdtempSync(join(tmpdir(), 'loopx-chain-')), '.loopx');
  mkdirSync(stateDir);
});
afterEach(() => rmSync(join(stateDir, '..'), { recursive: true, force: true }));

function first(event: HookEvent, session: string, more: Partial<HookCall> = {}, hostPid = 7) {
  const call: HookCall = { event, host: 'claude-code', session, toolInput: {}, isStopActive: false, ...more };
  return firstSession(call, stateDir, hostPid);
}

describe('The session that a hook belongs to', () => {
  it('is its own, until the context is cleared; then it stays that of the server', () => {
    expect(first('SessionStart', 'a', { source: 'startup' })).toBe('a');
    expect(first('PreToolUse', 'a')).toBe('a');
    first('SessionEnd', 'a', { reason: 'clear' });
    expect(first('SessionStart', 'b', { source: 'clear' })).toBe('a');
    expect(first('PreToolUse', 'b')).toBe('a');
    expect(first('SessionStart', 'b', { source: 'compact' })).toBe('a');
    first('SessionEnd', 'b', { reason: 'clear' });
    expect(first('SessionStart', 'c', { source: 'clear' })).toBe('a');
    expect(first('SessionEnd', 'c', { reason: 'other' })).toBe('a');
  });

  it('is not that of another host process which was cleared, too', () => {
    first('SessionEnd', 'a', { reason: 'clear' }, 7);
    expect(first('SessionStart', 'b', { source: 'clear' }, 8)).toBe('b');
  });

  it('is its own again when it is resumed in a new process', () => {
    first('SessionEnd', 'a', { reason: 'clear' }, 7);
    expect(first('SessionStart', 'b', { source: 'clear' }, 7)).toBe('a');
    expect(first('SessionStart', 'b', { source: 'resume' }, 9)).toBe('b');
    expect(first('PreToolUse', 'b', {}, 9)).toBe('b');
  });
});
