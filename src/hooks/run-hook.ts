import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { currentFolder, findWorkspace } from '../state/workspace/find-workspace.ts';
import { type HookCall, type HookEvent, type HookHost, readHookCall } from './hook-call.ts';
import { type HookSaid, hookOutput } from './hook-output.ts';
import type { HookContext } from './hook-session.ts';
import { firstSession } from './session-chain.ts';

export interface HookOptions {
  readonly event: HookEvent;
  /** Which host's words these are; read from the words themselves where it is not said. */
  readonly host?: HookHost | undefined;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Answers a host's hook: what to print, '' where there is nothing to say. Our own trouble is never the host's: what
 * fails is silent, but for a write of a file over a store that cannot be read, which is denied.
 * @param text the host's JSON, as it came on stdin
 */
export async function runHook({ event, host, env }: HookOptions, text: string): Promise<string> {
  try {
    const call = readHookCall(event, text, host);
    return call === undefined ? '' : hookOutput(call, await said(call, env));
  } catch (error) {
    if (env.LOOPX_DEBUG) console.error(error);
    return '';
  }
}

async function said(call: HookCall, env: NodeJS.ProcessEnv): Promise<HookSaid> {
  const found = findWorkspace({ env, cwd: call.cwd ?? currentFolder(), home: env.HOME ?? homedir() });
  // Where nobody ever used LoopX there is nothing to open, and a hook costs no more than its start.
  if (!found.ok || !(existsSync(found.stateDir) || env.LOOPX_STORE)) return { kind: 'nothing' };
  const { openControlPlane } = await import('../state/open-control-plane.ts');
  const plane = await openControlPlane({ ...found, env });
  try {
    const session = firstSession(call, found.stateDir);
    return await answerTo({ call: { ...call, session }, plane, workspace: found, env });
  } finally {
    await plane.close();
  }
}

async function answerTo(context: HookContext): Promise<HookSaid> {
  switch (context.call.event) {
    case 'SessionStart':
      return (await import('./on-session-start.ts')).onSessionStart(context);
    case 'PreToolUse':
      return (await import('./on-pre-tool-use.ts')).onPreToolUse(context);
    case 'Stop':
      return (await import('./on-stop.ts')).onStop(context);
    case 'PreCompact':
      return (await import('./on-pre-compact.ts')).onPreCompact(context);
    case 'SessionEnd':
      return (await import('./on-session-end.ts')).onSessionEnd(context);
  }
}
