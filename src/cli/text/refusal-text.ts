import type { RefusedAnswer } from '../../state/answer.ts';
import type { NextCall } from '../../state/kernel/refusal.ts';
import { toolNamed } from '../../tools/registry.ts';
import { kebab } from '../flags.ts';
import { plain } from './plain.ts';

/** A refusal for people: the sentence, the code that scripts know, and commands that would help. */
export function showRefusal({ code, message, next, notices }: RefusedAnswer): string {
  const calls = next.flatMap(asCommand);
  const told = (notices ?? []).map((notice) => `! ${notice.code}: ${plain(notice.text)}`);
  return [`loopx: ${plain(message)} [${code}]`, ...calls.map((line) => `  try: ${line}`), ...told].join('\n');
}

/** A tool call as one would type it. */
function asCommand(call: NextCall): readonly string[] {
  const tool = toolNamed(call.tool);
  if (tool === undefined) return [];
  const flags = Object.entries(call.arguments)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => (value === true ? `--${kebab(name)}` : `--${kebab(name)} ${quoted(value)}`));
  const words = ['loopx', tool.noun, ...(tool.verb === undefined ? [] : [tool.verb]), ...flags];
  return [plain(`${words.join(' ')}   # ${call.why}`)];
}

function quoted(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
