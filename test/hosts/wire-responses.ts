import type { JsonObject, Reply, SentResult } from './script.ts';
import { eventStream, listOf, serverKey, sse, textOf, type Wire } from './wire.ts';

/** OpenAI Responses, for Codex. */
export const responsesWire: Wire = {
  matches: (path) => path === '/v1/responses',
  isTurn: (body) => listOf(body.tools).length > 0,
  system: (body) =>
    [
      textOf(body.instructions),
      ...listOf(body.tools).map((tool) => textOf(tool.description)),
      ...listOf(body.input).map((item) => textOf(item.content)),
    ].join('\n'),
  tools: (body) => listOf(body.tools).flatMap(namesIn),
  results: (body) => listOf(body.input).flatMap(resultIn),
  render: (reply) => ({ type: eventStream, text: stream(itemOf(reply)) }),
};

function namesIn(tool: JsonObject): string[] {
  if (tool.type !== 'namespace') return [String(tool.name ?? tool.type)];
  return listOf(tool.tools).map((inner) => `${tool.name}.${inner.name}`);
}

// No mark of errors is sent: an MCP error is told from the text alone.
function resultIn(item: JsonObject): SentResult[] {
  if (item.type !== 'function_call_output' && item.type !== 'custom_tool_call_output') return [];
  return [{ callId: String(item.call_id), text: textOf(item.output) || JSON.stringify(item.output) }];
}

function itemOf(reply: Reply): JsonObject {
  if ('text' in reply) {
    return {
      type: 'message',
      id: 'msg_scripted',
      role: 'assistant',
      content: [{ type: 'output_text', text: reply.text, annotations: [] }],
    };
  }
  const { callId, step } = reply.call;
  const call = { type: 'function_call', id: `fc_${callId}`, call_id: callId };
  if ('tool' in step) {
    return { ...call, namespace: `mcp__${serverKey}`, name: step.tool, arguments: JSON.stringify(step.args ?? {}) };
  }
  const { name, input } = step.raw;
  if (typeof input === 'string') return { ...call, type: 'custom_tool_call', id: `ctc_${callId}`, name, input };
  return { ...call, name, arguments: JSON.stringify(input) };
}

function stream(item: JsonObject): string {
  const usage = {
    input_tokens: 100,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 10,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 110,
  };
  const response = { id: 'resp_scripted', object: 'response', status: 'completed', output: [item], usage };
  const events: JsonObject[] = [
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [], usage: null } },
    { type: 'response.output_item.added', output_index: 0, item },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response },
  ];
  return events.map((event) => sse(event, event.type)).join('');
}
