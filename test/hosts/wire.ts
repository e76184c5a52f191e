import type { JsonObject, Reply, SentResult } from './script.ts';

/** The key under which every host knows the server under test. */
export const serverKey = 'loopx';

/** One model API as the scripted model speaks it. */
export type Wire = {
  /** Whether a request is one that asks the model for text, by its path. */
  matches(path: string): boolean;
  /** Whether it is a turn of the agent: titles, topics and summaries carry no tools and play no step. */
  isTurn(body: JsonObject): boolean;
  /** Everything the model is told outside of results: system text, instructions, first messages. */
  system(body: JsonObject): string;
  /** Names of the tools the model can call, as spelled on this wire. */
  tools(body: JsonObject): string[];
  results(body: JsonObject): SentResult[];
  /** The body of the answer, and its content type. */
  render(reply: Reply, body: JsonObject, path: string): { type: string; text: string };
};

export const eventStream = 'text/event-stream';

/** A server-sent event; the name is left out where the API has none. */
export function sse(data: unknown, name?: string): string {
  return `${name ? `event: ${name}\n` : ''}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
}

/** The text in any of the forms the APIs give it: a string, a list of blocks, an object with text. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map(textOf).filter(Boolean).join('\n');
  if (typeof content === 'object' && content !== null && 'text' in content) return textOf(content.text);
  return '';
}

/** A list under a key, or none: requests are taken as they come. */
export function listOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? (value as JsonObject[]) : [];
}
