import type { ServerContext } from '@modelcontextprotocol/server';
import type { Environment } from '../plane-provider.ts';

/** Variables that a host sets only for what runs inside an agent's own shell. */
const insideAgentShell = ['CLAUDE_PID', 'CLAUDE_CODE_EXECPATH', 'CLAUDE_CODE_SESSION_ATTENDED', 'CLAUDE_EFFORT'];

/**
 * The mark of a host that nobody sits at, as a clause, or undefined where there is none. Marks can be forged by leaving
 * them out, so they only ever lower trust.
 */
export function unattendedMark(env: Environment, meta: ServerContext['mcpReq']['_meta']): string | undefined {
  if (env.CLAUDE_CODE_ENTRYPOINT?.startsWith('sdk')) return 'the host runs without a person (print mode or SDK)';
  const inside = insideAgentShell.find((name) => env[name] !== undefined);
  if (inside !== undefined) return `the host was started from inside an agent's shell (${inside} is set)`;
  const turn = (meta as { 'x-codex-turn-metadata'?: unknown } | undefined)?.['x-codex-turn-metadata'];
  const { turn_trigger, sandbox_mode } = (turn ?? {}) as { turn_trigger?: unknown; sandbox_mode?: unknown };
  if (turn_trigger === 'exec') return 'the host runs without a person (exec)';
  if (sandbox_mode === 'danger-full-access') return 'the host answers forms by itself in this mode';
  return undefined;
}
