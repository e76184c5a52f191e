import type { JsonObject, Reply, SentResult } from './script.ts';
import { eventStream, listOf, serverKey, sse, textOf, type Wire } from './wire.ts';

const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };

/** OpenAI Chat Completions, for OpenCode. */
export const chatWire: Wire = {
  matches: (path) => path === '/v1/chat/completions',
  isTurn: (body) => listOf(body.tools).length > 0,
  system: (body) =>
    listOf(body.messages)
      .filter((message) => message.role !== 'tool')
      .map((message) => textOf(message.content))
      .join('\n'),
  tools: (body) => listOf(body.tools).map((tool) => String(tool.function?.name)),
  results: (body) => listOf(body.messages).flatMap(resultIn),
  render: (reply, body) => {
    const [message, finish] = messageOf(reply);
    const head = { id: 'chatcmpl-scripted', created: 0, model: body.model };
    if (body.stream !== true) {
      const choices = [{ index: 0, message, finish_reason: finish }];
      return { type: 'application/json', text: JSON.stringify({ ...head, object: 'chat.completion', choices, usage }) };
    }
    const chunk = { ...head, object: 'chat.completion.chunk' };
    const chunks = [
      { ...chunk, choices: [{ index: 0, delta: message, finish_reason: null }] },
      { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: finish }], usage },
    ];
    return { type: eventStream, text: chunks.map((data) => sse(data)).join('') + sse('[DONE]') };
  },
};

function resultIn(message: JsonObject): SentResult[] {
  if (message.role !== 'tool') return [];
  return [{ callId: String(message.tool_call_id), text: textOf(message.content) }];
}

function messageOf(reply: Reply): [JsonObject, string] {
  if ('text' in reply) return [{ role: 'assistant', content: reply.text }, 'stop'];
  const { callId, step } = reply.call;
  const [name, input] =
    'tool' in step ? [`${serverKey}_${step.tool}`, step.args ?? {}] : [step.raw.name, step.raw.input];
  const call = { index: 0, id: callId, type: 'function', function: { name, arguments: JSON.stringify(input) } };
  return [{ role: 'assistant', content: null, tool_calls: [call] }, 'tool_calls'];
}
