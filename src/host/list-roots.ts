import type { McpServer } from '@modelcontextprotocol/server';
import type { ListRoots } from '../plane-provider.ts';
import type { HostClient } from './host-client.ts';

const answerMsMax = 2_000;
const rootsMax = 20;

/**
 * Asks a host of the legacy era for its roots. A host that does not answer soon has none for us: the working directory
 * is tried next. In the modern era a server cannot ask.
 */
export function rootsOf(mcp: McpServer, client: HostClient, era: 'legacy' | 'modern'): ListRoots {
  return async () => {
    if (era !== 'legacy' || !client.hasRoots) return [];
    try {
      const { roots } = await mcp.server.listRoots(undefined, { timeout: answerMsMax });
      return roots.slice(0, rootsMax).map(({ uri }) => uri);
    } catch {
      return [];
    }
  };
}
