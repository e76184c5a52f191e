import type { JsonObject, Reply, SentResult } from './script.ts';
import { eventStream, listOf, serverKey, sse, textOf, type Wire } from './wire.ts';

/** Gemini's generateContent and streamGenerateContent, for Gemini CLI. */
export const geminiWire: Wire = {
  matches: (path) => /:(stream)?[gG]enerateContent$/.test(path),
  isTurn: (body) => namesIn(body).length > 0,
  system: (body) =>
    [textOf(body.systemInstruction?.parts), ...listOf(body.contents).map((content) => textOf(content.parts))].join(
      '\n',
    ),
  tools: namesIn,
  results: (body) => listOf(body.contents).flatMap((content) => listOf(content.parts).flatMap(resultIn)),
  render: (reply, _body, path) => {
    const answer = {
      candidates: [{ index: 0, content: { role: 'model', parts: [partOf(reply)] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 10, totalTokenCount: 110 },
      modelVersion: 'scripted',
    };
    return path.includes(':stream')
      ? { type: eventStream, text: sse(answer) }
      : { type: 'application/json', text: JSON.stringify(answer) };
  },
};

function namesIn(body: JsonObject): string[] {
  return listOf(body.tools).flatMap((tool) => listOf(tool.functionDeclarations).map(({ name }) => String(name)));
}

function resultIn(part: JsonObject): SentResult[] {
  const response = part.functionResponse as JsonObject | undefined;
  if (response === undefined) return [];
  const said = response.response as JsonObject;
  const text = typeof said.output === 'string' ? said.output : textOf(said.error) || JSON.stringify(said);
  const sent = { callId: String(response.id), text, isError: 'error' in said };
  const json = 'error' in said ? jsonOfError(text) : undefined;
  return [json === undefined ? sent : { ...sent, json }];
}

// An error of a server arrives as a sentence that ends in the whole MCP result, inside a list.
function jsonOfError(text: string): JsonObject | undefined {
  const quoted = text.split(' with response: ').at(-1) ?? '';
  if (!quoted.startsWith('[')) return undefined;
  try {
    return (JSON.parse(quoted) as JsonObject[])[0]?.functionResponse?.response?.structuredContent;
  } catch {
    return undefined;
  }
}

function partOf(reply: Reply): JsonObject {
  if ('text' in reply) return { text: reply.text };
  const { callId, step } = reply.call;
  const [name, args] =
    'tool' in step ? [`mcp_${serverKey}_${step.tool}`, step.args ?? {}] : [step.raw.name, step.raw.input];
  return { functionCall: { id: callId, name, args } };
}
