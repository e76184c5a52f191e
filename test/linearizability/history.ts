import type { Answer } from '../../src/state/answer.ts';

/** One call as its caller saw it. All callers are in one process, so that their times are of one monotonic clock (ms). */
export interface Operation {
  readonly agent: string;
  readonly tool: string;
  readonly args: { readonly [name: string]: unknown };
  readonly invokedAt: number;
  /** Infinity where no answer came: such a call may have taken effect or not, at any time after it was sent. */
  readonly endedAt: number;
  readonly answer?: Answer;
}

/** Whatever answers calls in the name of one agent: a server behind stdio, or a control plane in this process. */
export interface Caller {
  readonly agent: string;
  call(tool: string, args: Operation['args']): Promise<Answer>;
}

/** Every call that was made through it, with when it was sent and when its answer was there. */
export class History {
  readonly operations: Operation[] = [];

  async call(caller: Caller, tool: string, args: Operation['args']): Promise<Answer | undefined> {
    const sent = { agent: caller.agent, tool, args, invokedAt: performance.now() };
    try {
      const answer = await caller.call(tool, args);
      this.operations.push({ ...sent, endedAt: performance.now(), answer });
      return answer;
    } catch {
      this.operations.push({ ...sent, endedAt: Number.POSITIVE_INFINITY });
      return undefined;
    }
  }
}

/** A call in words, for the report of what is wrong with it. */
export function inWords({ agent, tool, args, answer }: Operation): string {
  const said = answer === undefined ? 'no answer' : `${answer.ok ? 'ok' : answer.code} at ${answer.version}`;
  return `${agent} ${tool} ${JSON.stringify(args).slice(0, 160)} (${said})`;
}
