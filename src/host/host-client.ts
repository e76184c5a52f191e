import type { McpServer, ServerContext } from '@modelcontextprotocol/server';
import type { Environment } from '../plane-provider.ts';
import type { Caller } from '../state/answer.ts';

const infoKey = 'io.modelcontextprotocol/clientInfo';
const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities';
const nameCharsMax = 64;

/** What the host says of itself: once at `initialize` (legacy era), or with every request (modern era). Never trusted. */
export interface HostClient {
  readonly name: string;
  readonly canShowForms: boolean;
  readonly hasRoots: boolean;
}

export function hostClientOf(mcp: McpServer, context: ServerContext): HostClient {
  const envelope = context.mcpReq.envelope as Record<string, unknown> | undefined;
  const info = asObject(envelope?.[infoKey] ?? mcp.server.getClientVersion());
  const capabilities = asObject(envelope?.[capabilitiesKey] ?? mcp.server.getClientCapabilities());
  return {
    name: nameOf(info?.name),
    canShowForms: showsForms(capabilities?.elicitation),
    hasRoots: asObject(capabilities?.roots) !== undefined,
  };
}

/** Who calls, but for the call's own `agent` argument. */
export function callerOf(client: HostClient, context: ServerContext, env: Environment): Caller {
  return { kind: 'mcp', host: client.name, hostSession: hostSessionOf(context, env) };
}

/** A host that names only url among its kinds of elicitation cannot show a form; one that names none means forms. */
function showsForms(elicitation: unknown): boolean {
  const kinds = asObject(elicitation);
  return kinds !== undefined && (kinds.form !== undefined || kinds.url === undefined);
}

function hostSessionOf(context: ServerContext, env: Environment): string | undefined {
  const meta = asObject(context.mcpReq._meta) ?? {};
  const turn = asObject(meta['x-codex-turn-metadata']);
  const told = [
    env.LOOPX_SESSION,
    env.CLAUDE_CODE_SESSION_ID,
    meta.threadId,
    meta.sessionId,
    turn?.session_id,
    meta['agent-session-id'],
  ];
  return told.find((id): id is string => typeof id === 'string' && id !== '' && id.length <= 200);
}

function nameOf(name: unknown): string {
  const plain = typeof name === 'string' ? name.replace(/[^\w. -]+/g, ' ').trim() : '';
  return plain === '' ? 'unknown' : plain.slice(0, nameCharsMax);
}

function asObject(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
}
