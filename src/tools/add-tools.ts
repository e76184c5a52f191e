import type { InputRequiredResult, ServerContext, StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { type Connection, visitOf } from '../host/connection.ts';
import { ownerName } from '../host/owner-name.ts';
import type { Answer } from '../state/answer.ts';
import { answerBefore, askNow } from './ask-now.ts';
import { callTool } from './call-tool.ts';
import type { Tool } from './define-tool.ts';
import { gateAsk } from './gate-ask.ts';
import { tools } from './registry.ts';
import { toolResult } from './tool-result.ts';
import { wireSchema } from './wire-schema.ts';

/** Serves every tool of the registry; the list is whole from the start and never changes. */
export function addTools(connection: Connection): void {
  for (const tool of tools) {
    const { title, description, annotations } = tool;
    connection.mcp.registerTool(
      tool.name,
      { title, description, annotations, inputSchema: asItComes(tool) },
      async (raw, context) => {
        const result = await call(tool, raw, connection, context);
        return 'ok' in result ? toolResult(result as Answer) : (result as InputRequiredResult);
      },
    );
  }
}

async function call(
  tool: Tool,
  raw: unknown,
  connection: Connection,
  context: ServerContext,
): Promise<Answer | InputRequiredResult> {
  const { caller, observer, open, forms, signal } = visitOf(connection, context);
  let isToAsk = false;
  const before = tool === gateAsk ? answerBefore(forms) : undefined;
  const answer =
    before ??
    (await callTool(tool, raw, open, caller, (plane, args) => {
      isToAsk = tool === gateAsk && args.askNow === true;
      return tool.run(plane, args, caller, signal);
    }));
  if (before === undefined && !isToAsk) return answer;
  const opened = await open();
  if ('refusal' in opened) return answer;
  return askNow(answer, forms, opened.plane, observer, ownerName(connection.env));
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
