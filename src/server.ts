import { McpServer, type StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { callerOf, hostClientOf } from './host/host-client.ts';
import { rootsOf } from './host/list-roots.ts';
import { instructions } from './instructions.ts';
import type { Environment, PlaneProvider } from './plane-provider.ts';
import { callTool } from './tools/call-tool.ts';
import type { Tool } from './tools/define-tool.ts';
import { tools } from './tools/registry.ts';
import { toolResult } from './tools/tool-result.ts';
import { wireSchema } from './tools/wire-schema.ts';
import { version } from './version.ts';

export interface ServerOptions {
  readonly era: 'legacy' | 'modern';
  readonly provider: PlaneProvider;
  readonly env: Environment;
}

/** One MCP server over the registries. Building it touches neither workspace nor store. */
export function buildServer(options: ServerOptions): McpServer {
  const mcp = new McpServer(
    { name: 'loopx', title: 'LoopX', version },
    {
      instructions,
      capabilities: { tools: { listChanged: false } },
    },
  );
  for (const tool of tools) addTool(mcp, tool, options);
  return mcp;
}

function addTool(mcp: McpServer, tool: Tool, { era, provider, env }: ServerOptions): void {
  const { title, description, annotations } = tool;
  mcp.registerTool(
    tool.name,
    { title, description, annotations, inputSchema: asItComes(tool) },
    async (raw, context) => {
      const client = hostClientOf(mcp, context);
      const caller = callerOf(client, context, env);
      const open = () => provider.open(rootsOf(mcp, client, era));
      const answer = await callTool(tool, raw, open, caller, (plane, args) =>
        tool.run(plane, args, caller, context.mcpReq.signal),
      );
      return toolResult(answer);
    },
  );
}

/** Shows the host our schema and lets the arguments through as they came: `parseInput` reads and refuses them. */
function asItComes(tool: Tool): StandardSchemaWithJSON<unknown, unknown> {
  const schema = () => wireSchema(tool) as Record<string, unknown>;
  return {
    '~standard': {
      version: 1,
      vendor: 'loopx',
      validate: (value) => ({ value }),
      jsonSchema: { input: schema, output: schema },
    },
  };
}
