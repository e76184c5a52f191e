import type { InputRequiredResult } from '@modelcontextprotocol/server';
import type { OwnerForms } from '../host/owner-forms.ts';
import type { Caller, OwnerCaller } from '../state/answer.ts';
import type { ControlPlane } from '../state/control-plane.ts';

export interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required?: boolean;
  /** Values that begin a completion; `given` holds the arguments filled in so far. */
  readonly complete?: (plane: ControlPlane, caller: Caller, given: PromptArguments) => Promise<readonly string[]>;
}

/** Arguments as the host sent them, trimmed; empty and absent are the same. */
export type PromptArguments = { readonly [name: string]: string };

/** What a prompt may use. */
export interface PromptRoom {
  readonly plane: ControlPlane;
  readonly caller: Caller;
  readonly forms: OwnerForms;
  readonly owner: Pick<OwnerCaller, 'name'>;
}

/** The text for the agent, or a form that the host has to show first. */
export type PromptOutcome = string | InputRequiredResult;

interface PromptFace {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
}

/**
 * One entry of the owner's channel. `text` needs no workspace; `read` looks at it; `change` records the owner's word,
 * and so is never run with the placeholders that one host fills in when it lists prompts.
 */
export type Prompt = PromptFace &
  (
    | { readonly does: 'text'; readonly text: (given: PromptArguments) => string }
    | {
        readonly does: 'read' | 'change';
        readonly run: (given: PromptArguments, room: PromptRoom) => Promise<PromptOutcome>;
      }
  );
