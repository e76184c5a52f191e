import { McpServer } from '@modelcontextprotocol/server';
import { addCompletions } from './host/add-completions.ts';
import type { Connection } from './host/connection.ts';
import { instructions } from './instructions.ts';
import { addPrompts } from './prompts/add-prompts.ts';
import { addResources } from './resources/add-resources.ts';
import { addTools } from './tools/add-tools.ts';
import { version } from './version.ts';

/** One MCP server over the registries. Building it touches neither workspace nor store. */
export function buildServer(parts: Omit<Connection, 'mcp'>): McpServer {
  const mcp = new McpServer(
    { name: 'loopx', title: 'LoopX', version },
    {
      instructions,
      capabilities: { tools: { listChanged: false } },
      requestState: { verify: parts.pending.verify },
    },
  );
  const connection = { ...parts, mcp };
  addTools(connection);
  addPrompts(connection);
  addResources(connection);
  addCompletions(connection);
  parts.subscriptions.speakThrough(mcp);
  return mcp;
}
