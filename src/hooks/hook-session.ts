import type { FoundWorkspace } from '../plane-provider.ts';
import type { Caller, SessionQuery } from '../state/answer.ts';
import type { ControlPlane } from '../state/control-plane.ts';
import type { HookCall } from './hook-call.ts';

/** What every hook works with. */
export interface HookContext {
  readonly call: HookCall;
  readonly plane: ControlPlane;
  readonly workspace: FoundWorkspace;
  readonly env: NodeJS.ProcessEnv;
}

/** Who speaks: the host session of the hook, whose live server's agents are meant. */
export function callerOf({ call, env }: HookContext, agent?: string): Caller {
  return {
    kind: 'cli',
    host: call.host,
    hostSession: call.session ?? (env.CLAUDE_CODE_SESSION_ID || undefined),
    agent,
  };
}

/** Cursor tells its servers nothing of the conversation they serve, so there all agents of the host are meant. */
export function sessionQuery({ call }: HookContext): SessionQuery {
  return call.host === 'cursor' ? { anyOfHost: 'cursor' } : {};
}

export interface HeldClaim {
  readonly todo: string;
  readonly goal: string;
  readonly title: string;
  readonly holder: string;
  readonly token: number;
  readonly wroteBack: boolean;
}

interface OpenGate {
  readonly gate: string;
  readonly question: string;
  readonly answerWith: string;
}

export interface SessionStands {
  readonly agents: readonly string[];
  readonly goals: readonly string[];
  readonly claims: readonly HeldClaim[];
  readonly gates: readonly OpenGate[];
}

/** How the hook's session stands, or undefined where the store cannot say. */
export async function sessionStands(context: HookContext): Promise<SessionStands | undefined> {
  const answer = await context.plane.query({ type: 'session', ...sessionQuery(context) }, callerOf(context));
  return answer.ok ? (answer as unknown as SessionStands) : undefined;
}
