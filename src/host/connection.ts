import type { McpServer, ServerContext } from '@modelcontextprotocol/server';
import type { Environment, Opened, PlaneProvider } from '../plane-provider.ts';
import type { Subscriptions } from '../resources/subscriptions.ts';
import type { Caller } from '../state/answer.ts';
import { unattendedMark } from './attended.ts';
import { callerOf, hostClientOf } from './host-client.ts';
import { rootsOf } from './list-roots.ts';
import { OwnerForms } from './owner-forms.ts';
import type { PendingForms } from './pending-forms.ts';

/** What one server instance shares over all of its requests. */
export interface Connection {
  readonly mcp: McpServer;
  readonly era: 'legacy' | 'modern';
  readonly provider: PlaneProvider;
  readonly env: Environment;
  readonly pending: PendingForms;
  readonly subscriptions: Subscriptions;
}

/** What one request can reach. */
export interface Visit {
  readonly caller: Caller;
  /** Nobody in particular: a look through it takes no notices away from the agent of this session. */
  readonly observer: Caller;
  readonly open: () => Promise<Opened>;
  readonly forms: OwnerForms;
  readonly signal: AbortSignal;
}

export function visitOf(connection: Connection, context: ServerContext): Visit {
  const { mcp, era, provider, env, pending } = connection;
  const client = hostClientOf(mcp, context);
  const caller = callerOf(client, context, env);
  return {
    caller,
    observer: { ...caller, agent: '' },
    open: () => provider.open(rootsOf(mcp, client, era)),
    forms: new OwnerForms({
      context,
      era,
      canShow: client.canShowForms,
      unattended: unattendedMark(env, context.mcpReq._meta),
      pending,
    }),
    signal: context.mcpReq.signal,
  };
}
