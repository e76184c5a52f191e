import type { Answer, Caller, RefusedAnswer } from '../state/answer.ts';
import type { ControlPlane } from '../state/control-plane.ts';
import { type Refusal, type RefusalCode, refusalSorts } from '../state/kernel/refusal.ts';
import type { ParsedArguments, Tool } from './define-tool.ts';
import { parseInput } from './parse-input.ts';

/** The control plane of this process's workspace, opened when it is first needed, or why there is none. */
export type OpenPlane = () => Promise<{ readonly plane: ControlPlane } | { readonly refusal: Refusal }>;

/** Runs with the open plane and parsed arguments; the MCP server adds what only a connection can do. */
export type RunTool = (plane: ControlPlane, args: ParsedArguments) => Promise<Answer>;

/**
 * One call from raw arguments to answer, for every surface. Never throws but for a programmer's error of ours, which
 * is told as `outcome-unknown` and on stderr, so that one bad call does not end the session.
 */
export async function callTool(
  tool: Tool,
  raw: unknown,
  open: OpenPlane,
  caller: Caller,
  run: RunTool,
): Promise<Answer> {
  try {
    const input = parseInput(tool, raw);
    const opened = await open();
    if ('refusal' in opened) return refusedAnswer(input.ok ? opened.refusal : input.refusal);
    if (input.ok) return await run(opened.plane, input.args);
    return await refusedNow(opened.plane, input.refusal, { ...caller, agent: agentNamed(tool, raw) });
  } catch (error) {
    return refusedAnswer(troubleOf(error, tool.kind !== 'read'));
  }
}

/** A refusal outside the control plane; version 0 where no log was read. */
export function refusedAnswer({ code, message, details, next }: Refusal, from?: Answer): RefusedAnswer {
  return {
    ok: false,
    version: from?.version ?? 0,
    ...(from?.you === undefined ? {} : { you: from.you }),
    code,
    message,
    details,
    next,
    ...(from?.notices === undefined ? {} : { notices: from.notices }),
  };
}

/** The agent that a refused call names, so that its notices go to nobody else. */
function agentNamed(tool: Tool, raw: unknown): string | undefined {
  const agent = tool.kind === 'read' ? undefined : (raw as { agent?: unknown } | undefined)?.agent;
  return typeof agent === 'string' ? agent : undefined;
}

/** Even a refused call is told the version and what concerns its agent, so it asks the plane for the least it can. */
async function refusedNow(plane: ControlPlane, refusal: Refusal, caller: Caller): Promise<Answer> {
  const now = await plane.query({ type: 'goals' }, caller).catch(() => undefined);
  return refusedAnswer(refusal, now);
}

function troubleOf(error: unknown, isWrite: boolean): Refusal {
  const told = error as { code?: unknown; message?: unknown };
  if (typeof told?.code === 'string' && Object.hasOwn(refusalSorts, told.code)) {
    return { code: told.code as RefusalCode, message: String(told.message), details: {}, next: [] };
  }
  console.error('loopx: unexpected:', error);
  const advice = isWrite ? 'send it again with the same idempotencyKey' : 'ask again';
  return {
    code: 'outcome-unknown',
    message: `Something unexpected went wrong inside LoopX (${String(told?.message ?? error).slice(0, 300)}); ${advice}, and run \`loopx doctor\` if it stays.`,
    details: {},
    next: [],
  };
}
