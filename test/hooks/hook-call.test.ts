import { describe, expect, it } from 'vitest';
import { readHookCall } from '../../src/hooks/hook-call.ts';
import { hookOutput } from '../../src/hooks/hook-output.ts';
import { patchFiles } from '../../src/hooks/patch-files.ts';

const claude = { session_id: 's1', transcript_path: '/h/.claude/projects/p/s1.jsonl', cwd: '/p' };
const codex = { session_id: 's2', transcript_path: '/h/sessions/rollout-1-s2.jsonl', cwd: '/p', model: 'gpt' };
const cursor = { conversation_id: 'c1', cursor_version: '2.0', workspace_roots: ['/p'] };
const read = (event: 'PreToolUse' | 'Stop' | 'PreCompact', said: object) => {
  const call = readHookCall(event, JSON.stringify(said));
  if (!call) throw new Error('not understood');
  return call;
};

describe('What a host says to its hook', () => {
  it('tells the hosts apart by their own words', () => {
    expect(read('Stop', claude)).toMatchObject({ host: 'claude-code', session: 's1', cwd: '/p', isStopActive: false });
    expect(read('Stop', codex)).toMatchObject({ host: 'codex', session: 's2' });
    expect(read('Stop', cursor)).toMatchObject({ host: 'cursor', session: 'c1', cwd: '/p' });
  });

  it("reads a command from the hook that Cursor has for shells, and that it went on for a hook's sake", () => {
    const shell = { ...cursor, hook_event_name: 'beforeShellExecution', command: 'ls' };
    expect(read('PreToolUse', shell)).toMatchObject({ tool: 'Bash', toolInput: { command: 'ls' } });
    expect(read('Stop', { ...cursor, loop_count: 1 }).isStopActive).toBe(true);
    expect(read('Stop', { ...claude, stop_hook_active: true }).isStopActive).toBe(true);
  });

  it.each(['', 'null', '[]', '7', '{', '"text"'])('understands nothing of %j', (text) => {
    expect(readHookCall('PreToolUse', text)).toBeUndefined();
  });

  it('takes what has the wrong type or is too long as missing', () => {
    const said = { session_id: 7, cwd: 'x'.repeat(5_000), tool_name: ['Write'], tool_input: 'no' };
    expect(read('PreToolUse', said)).toMatchObject({
      session: undefined,
      cwd: undefined,
      tool: undefined,
      toolInput: {},
    });
  });
});

describe('What a hook answers', () => {
  it('denies a tool in the words of each host', () => {
    const denied = { kind: 'deny', text: 'No.' } as const;
    const common = { hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: 'No.' } };
    expect(JSON.parse(hookOutput(read('PreToolUse', claude), denied))).toMatchObject(common);
    expect(JSON.parse(hookOutput(read('PreToolUse', codex), denied))).toMatchObject(common);
    expect(JSON.parse(hookOutput(read('PreToolUse', cursor), denied))).toMatchObject({
      permission: 'deny',
      agent_message: 'No.',
    });
  });

  it('reminds before a summary in plain words for Claude Code, and as a message in Codex', () => {
    const said = { kind: 'context', text: 'Keep T1.' } as const;
    expect(hookOutput(read('PreCompact', claude), said)).toBe('Keep T1.');
    expect(JSON.parse(hookOutput(read('PreCompact', codex), said))).toEqual({ systemMessage: 'Keep T1.' });
  });

  it('asks to go on in the words of each host', () => {
    const said = { kind: 'go-on', text: 'Write back.' } as const;
    expect(JSON.parse(hookOutput(read('Stop', claude), said))).toEqual({ decision: 'block', reason: 'Write back.' });
    expect(JSON.parse(hookOutput(read('Stop', cursor), said))).toEqual({ followup_message: 'Write back.' });
  });
});

it('finds every file of a patch, moved ones by both names', () => {
  const patch = `*** Begin Patch
*** Update File: a.ts
*** Move to: b.ts
@@
-x
*** Delete File: c d.ts
*** Add File: e.ts
+*** not a header: f.ts
*** End Patch`;
  expect(patchFiles(patch)).toEqual(['a.ts', 'b.ts', 'c d.ts', 'e.ts']);
});
