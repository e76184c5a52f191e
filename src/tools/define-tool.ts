import assert from 'node:assert';
import type * as z from 'zod';
import type { Answer, Caller } from '../state/answer.ts';
import type { ControlPlane } from '../state/control-plane.ts';

/**
 * What a tool does to the store: `read` changes nothing; `write` may add something each time; `repeatable-write` has
 * no further effect when it is called again with the same arguments.
 */
type ToolKind = 'read' | 'write' | 'repeatable-write';

type Fields = z.ZodRawShape;

interface ToolDeclaration<Shape extends Fields> {
  /** snake_case, at most 30 characters; the file is named the same in kebab-case. */
  readonly name: string;
  readonly title: string;
  /** What the model reads: what it does, when to use it, limits; under 2,000 bytes. */
  readonly description: string;
  readonly kind: ToolKind;
  readonly input: z.ZodObject<Shape>;
  /** Hands parsed arguments to the control plane; refusals come back as answers. */
  readonly run: (
    plane: ControlPlane,
    args: z.output<z.ZodObject<Shape>>,
    caller: Caller,
    signal?: AbortSignal,
  ) => Promise<Answer>;
}

/** One operation of the control plane, as the MCP server and the command line offer it. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly kind: ToolKind;
  /** `loopx <noun> <verb>`; a one-word tool has no verb. */
  readonly noun: string;
  readonly verb: string | undefined;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
  readonly input: z.ZodObject;
  /** `args` must come from `parseInput`. */
  readonly run: (plane: ControlPlane, args: ParsedArguments, caller: Caller, signal?: AbortSignal) => Promise<Answer>;
}

/** Arguments that `parseInput` let through for one tool. */
export type ParsedArguments = { readonly [name: string]: unknown };

export function defineTool<Shape extends Fields>(tool: ToolDeclaration<Shape>): Tool {
  assert(/^[a-z]+(_[a-z]+)*$/.test(tool.name) && tool.name.length <= 30, `${tool.name} is no tool name`);
  const [noun, ...rest] = tool.name.split('_') as [string, ...string[]];
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    kind: tool.kind,
    noun,
    verb: rest.length === 0 ? undefined : rest.join('-'),
    annotations: {
      readOnlyHint: tool.kind === 'read',
      destructiveHint: false,
      idempotentHint: tool.kind !== 'write',
      openWorldHint: false,
    },
    input: tool.input,
    run: (plane, args, caller, signal) => tool.run(plane, args as z.output<z.ZodObject<Shape>>, caller, signal),
  };
}

/** Arguments without what is about the call itself rather than the act. */
export function actOf<Args extends { agent?: string | undefined; idempotencyKey?: string | undefined }>(
  args: Args,
): Omit<Args, 'agent' | 'idempotencyKey'> {
  const { agent, idempotencyKey, ...act } = args;
  return act;
}
