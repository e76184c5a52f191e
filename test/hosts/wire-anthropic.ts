import type { JsonObject, Reply, SentResult } from './script.ts';
import { eventStream, listOf, serverKey, sse, textOf, type Wire } from './wire.ts';

const usage = { input_tokens: 100, output_tokens: 10, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };

/** Anthropic Messages, for Claude Code. */
export const anthropicWire: Wire = {
  matches: (path) => path === '/v1/messages',
  isTurn: (body) => listOf(body.tools).length > 0,
  system: (body) =>
    [textOf(body.system), ...listOf(body.messages).map((message) => textOf(message.content))].join('\n'),
  tools: (body) => listOf(body.tools).map((tool) => String(tool.name)),
  results: (body) => listOf(body.messages).flatMap((message) => listOf(message.content).flatMap(resultIn)),
  render: (reply, body) => {
    const head = { id: 'msg_scripted', type: 'message', role: 'assistant', model: body.model };
    const block = blockOf(reply);
    const stop = block.type === 'tool_use' ? 'tool_use' : 'end_turn';
    if (body.stream !== true) {
      const whole = { ...head, content: [block], stop_reason: stop, stop_sequence: null, usage };
      return { type: 'application/json', text: JSON.stringify(whole) };
    }
    return { type: eventStream, text: stream(head, block, stop) };
  },
};

function resultIn(block: JsonObject): SentResult[] {
  if (block.type !== 'tool_result') return [];
  return [{ callId: String(block.tool_use_id), text: textOf(block.content), isError: block.is_error === true }];
}

function blockOf(reply: Reply): JsonObject {
  if ('text' in reply) return { type: 'text', text: reply.text };
  const { callId, step } = reply.call;
  const [name, input] =
    'tool' in step ? [`mcp__${serverKey}__${step.tool}`, step.args ?? {}] : [step.raw.name, step.raw.input];
  return { type: 'tool_use', id: callId, name, input };
}

function stream(head: JsonObject, block: JsonObject, stop: string): string {
  const isCall = block.type === 'tool_use';
  const delta = isCall
    ? { type: 'input_json_delta', partial_json: JSON.stringify(block.input) }
    : { type: 'text_delta', text: block.text };
  const message = { ...head, content: [], stop_reason: null, stop_sequence: null, usage };
  const events: JsonObject[] = [
    { type: 'message_start', message },
    { type: 'content_block_start', index: 0, content_block: { ...block, ...(isCall ? { input: {} } : { text: '' }) } },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: stop, stop_sequence: null }, usage },
    { type: 'message_stop' },
  ];
  return events.map((event) => sse(event, event.type)).join('');
}
