import {
  type GetPromptResult,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { type Connection, type Visit, visitOf } from '../host/connection.ts';
import { ownerName } from '../host/owner-name.ts';
import type { Prompt, PromptArguments, PromptOutcome } from './define-prompt.ts';
import { hasPlaceholder, placeholderText } from './given.ts';
import { promptNamed, prompts } from './registry.ts';

/** Serves the prompts; arguments are read by us, since hosts split, join and cut them each in their own way. */
export function addPrompts(connection: Connection): void {
  const { server } = connection.mcp;
  server.registerCapabilities({ prompts: { listChanged: false } });
  server.setRequestHandler('prompts/list', () => ({
    prompts: prompts.map(({ name, title, description, arguments: args }) => ({
      name,
      title,
      description,
      arguments: args.map((arg) => ({ name: arg.name, description: arg.description, required: arg.required ?? false })),
    })),
  }));
  server.setRequestHandler('prompts/get', async ({ params }, context) => {
    const prompt = promptNamed(params.name);
    if (prompt === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Prompt ${params.name} not found`);
    const outcome = await runPrompt(prompt, trimmed(params.arguments), visitOf(connection, context), connection);
    return typeof outcome === 'string' ? promptResult(prompt, outcome) : outcome;
  });
}

async function runPrompt(
  prompt: Prompt,
  given: PromptArguments,
  visit: Visit,
  { env }: Connection,
): Promise<PromptOutcome> {
  if (prompt.does === 'text') return prompt.text(given);
  if (prompt.does === 'change' && hasPlaceholder(given)) return placeholderText;
  try {
    const opened = await visit.open();
    if ('refusal' in opened) return opened.refusal.message;
    const room = { plane: opened.plane, caller: visit.observer, forms: visit.forms, owner: { name: ownerName(env) } };
    return await prompt.run(given, room);
  } catch (error) {
    console.error('loopx: unexpected:', error);
    return `LoopX could not do this (${(error as Error).message}); \`loopx doctor\` explains.`;
  }
}

function promptResult({ description }: Prompt, text: string): GetPromptResult | InputRequiredResult {
  return { description, messages: [{ role: 'user', content: { type: 'text', text } }] };
}

function trimmed(given: { readonly [name: string]: string } | undefined): PromptArguments {
  return Object.fromEntries(Object.entries(given ?? {}).map(([name, value]) => [name, value.trim()]));
}
