import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Place } from '../cli/loopx.ts';

const place = new Place();
const { project } = place;
afterAll(() => place.remove());

interface Said {
  readonly hookSpecificOutput?: {
    readonly permissionDecision?: string;
    readonly permissionDecisionReason?: string;
    readonly additionalContext?: string;
  };
  readonly decision?: string;
  readonly reason?: string;
}

/** What the hook answered, undefined for nothing; it must have ended with 0. */
function hook(
  event: string,
  said: object | string,
  env: Record<string, string> = { LOOPX_AGENT: 'ann' },
): Said | undefined {
  const input = typeof said === 'string' ? said : JSON.stringify({ session_id: 's1', cwd: project, ...said });
  const { code, stdout } = place.run(['hook', event], { input, env });
  expect(code).toBe(0);
  return stdout === '' ? undefined : (JSON.parse(stdout) as Said);
}

const write = (file: string, tool = 'Write', env?: Record<string, string>) =>
  hook('PreToolUse', { tool_name: tool, tool_input: { file_path: file } }, env)?.hookSpecificOutput
    ?.permissionDecisionReason;
const bash = (command: string) =>
  hook('PreToolUse', { tool_name: 'Bash', tool_input: { command } })?.hookSpecificOutput?.permissionDecisionReason;

describe('loopx hook, where nobody uses LoopX', () => {
  it('says nothing and makes nothing', () => {
    for (const event of ['SessionStart', 'PreToolUse', 'Stop', 'PreCompact', 'SessionEnd'])
      expect(hook(event, { tool_name: 'Write', tool_input: { file_path: 'x' } })).toBeUndefined();
    expect(readdirSync(project)).toEqual(['.git']);
  });

  it('ends with 0 on words it does not understand, and on an event it does not know', () => {
    expect(hook('PreToolUse', 'not json')).toBeUndefined();
    expect(hook('Unheard', {})).toBeUndefined();
  });
});

describe('loopx hook, under a goal with a gate', () => {
  beforeAll(() => {
    const asked = (...args: string[]) => expect(place.as('ann', ...args).ok).toBe(true);
    const scope = JSON.stringify({ denyPaths: ['secrets/**'] });
    const todos = JSON.stringify([
      { title: 'Write the importer', scope: { paths: ['src', 'app/[id]/*.tsx'] } },
      { title: 'Another' },
    ]);
    asked('goal', 'start', '--goal', 'csv', '--objective', 'Import', '--scope', scope, '--todos', todos);
    const protects = JSON.stringify({ paths: ['deploy/prod/**'], commands: ['npm publish', 'git push * main'] });
    asked('gate', 'ask', '--question', 'May it be deployed?', '--kind', 'approval', '--protects', protects);
  });

  it('enforces gates and denyPaths, and no scope, while nothing is held [R38]', () => {
    expect(write(join(project, 'docs/x.md'))).toBeUndefined();
    expect(write('deploy/prod/x.yml')).toMatch(/gate G1 protects deploy\/prod\/x\.yml .*loopx gate answer G1 yes\|no/);
    expect(write(join(project, 'secrets/key'))).toContain('denied by the goal csv');
    expect(write(join(project, '.loopx/log/1.jsonl'))).toContain('belongs to the control plane');
  });

  it('reads paths as files are: through links, dots and another spelling', () => {
    mkdirSync(join(project, 'deploy/prod'), { recursive: true });
    symlinkSync('deploy/prod', join(project, 'link'));
    expect(write('link/x.yml')).toContain('gate G1 protects deploy/prod/x.yml');
    expect(write(`${project}/a/../deploy//prod/x.yml`)).toContain('gate G1');
  });

  it('sees protected commands, and protected files that a command plainly writes', () => {
    expect(bash('npm test')).toBeUndefined();
    expect(bash('cd app && npm publish --tag next')).toContain('gate G1 protects npm publish --tag next');
    expect(bash('git push -f origin main')).toContain('gate G1');
    expect(bash('git push origin mainline')).toBeUndefined();
    expect(bash('npm publisher')).toBeUndefined();
    expect(bash('cd deploy && echo x > prod/x.yml')).toContain('gate G1 protects deploy/prod/x.yml');
    expect(bash('rm -rf deploy')).toContain('gate G1');
    expect(bash('rm -rf ../project')).toContain('the whole workspace');
    expect(bash('cat deploy/prod/x.yml')).toBeUndefined();
  });

  it('enforces the scope of what is held, for every tool that writes files', () => {
    expect(place.as('ann', 'todo', 'claim', '--todo', 'T1').ok).toBe(true);
    for (const inside of ['src/a.ts', 'src', 'app/[id]/page.tsx', '/tmp/loopx-scratch/x'])
      expect(write(inside)).toBeUndefined();
    for (const tool of ['Write', 'Edit', 'MultiEdit', 'NotebookEdit'])
      expect(write('docs/x.md', tool)).toContain(
        'docs/x.md is outside the scope of what you hold: T1 (src, app/[id]/*.tsx)',
      );
    expect(write('/usr/local/lib/x')).toContain('outside the scope');
    expect(write('docs/x.md', 'Read')).toBeUndefined();
    expect(write('docs/x.md', 'Write', { LOOPX_AGENT: 'bob' })).toBeUndefined();
  });

  it('brings the packet at the start, in 8 KB, and claims nothing by it [R40]', () => {
    const text = hook('SessionStart', { source: 'startup' })?.hookSpecificOutput?.additionalContext ?? '';
    expect(text).toMatch(/This session holds T1 \(token \d+, as ann\)/);
    expect(text).toContain('"code":"continue-claim"');
    expect(text).toContain('May it be deployed?');
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(8_000);
    expect(place.as('eve', 'goal', 'status', '--id', 'T2').todo.state).toBe('open');
  });

  it('asks once for the writeback that is missing, never while a hook keeps the agent going', () => {
    expect(hook('Stop', { stop_hook_active: true })).toBeUndefined();
    expect(hook('Stop', {})?.reason).toContain('you still hold T1 "Write the importer"');
    expect(hook('Stop', {})).toBeUndefined();
    expect(hook('Stop', { session_id: 's2' })?.decision).toBe('block');
  });

  it('asks for nothing once something was written back', () => {
    const back = place.as('ann', 'writeback', '--todo', 'T1', '--outcome', 'progress', '--summary', 'Half of it');
    expect(back.ok).toBe(true);
    expect(hook('Stop', { session_id: 's3' })).toBeUndefined();
  });

  it('keeps what is held when only the context is cleared, and gives it back when the session ends', () => {
    hook('SessionEnd', { reason: 'clear' });
    expect(place.as('eve', 'goal', 'status', '--id', 'T1').todo.state).toBe('active');
    hook('SessionEnd', { reason: 'other' }, { LOOPX_AGENT: 'bob' });
    expect(place.as('eve', 'goal', 'status', '--id', 'T1').todo.state).toBe('active');
    hook('SessionEnd', { reason: 'other' });
    const { todo } = place.as('eve', 'goal', 'status', '--id', 'T1');
    expect(todo.state).toBe('open');
    expect(JSON.stringify(todo.notes)).toContain('Given back at the end of its session');
  });

  it('denies writes and lets commands run when the store cannot be read', () => {
    const log = join(project, '.loopx/log');
    for (const name of readdirSync(log)) {
      const [first, , ...rest] = readFileSync(join(log, name), 'utf8').split('\n');
      writeFileSync(join(log, name), [first, 'damaged', ...rest].join('\n'));
    }
    expect(write('src/a.ts')).toContain('LoopX cannot read its store');
    expect(bash('loopx doctor')).toBeUndefined();
  });
});
