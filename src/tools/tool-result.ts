import assert from 'node:assert';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Answer } from '../state/answer.ts';
import { refusalSorts } from '../state/kernel/refusal.ts';

/** Some hosts cut or spill what is longer; the control plane pages and shortens so that no answer is. */
const answerBytesMax = 40 * 1024;

/**
 * An answer as MCP carries it: the same JSON as structured content and as the one text block, because some hosts show
 * the model only the first and some only the second. A refusal that is the control plane doing its job is no MCP error,
 * since some hosts cancel a batch's other calls on one.
 */
export function toolResult(answer: Answer): CallToolResult {
  const text = JSON.stringify(answer);
  const bytes = Buffer.byteLength(text);
  assert(bytes <= answerBytesMax, `an answer of ${bytes} bytes is over ${answerBytesMax}`);
  return {
    content: [{ type: 'text', text }],
    structuredContent: JSON.parse(text) as Record<string, unknown>,
    isError: !answer.ok && refusalSorts[answer.code] === 'error',
  };
}
