import type { HookCall } from './hook-call.ts';

/** What a hook has to say: nothing, something for the model to read, a no to a tool, or a request to go on. */
export type HookSaid =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'context'; readonly text: string }
  | { readonly kind: 'deny'; readonly text: string }
  | { readonly kind: 'go-on'; readonly text: string };

export const nothing: HookSaid = { kind: 'nothing' };

/** The host's own words for it; '' where there is nothing to say, or no way to say it in that host. */
export function hookOutput(call: HookCall, said: HookSaid): string {
  if (said.kind === 'nothing') return '';
  return call.host === 'cursor' ? cursorOutput(said) : claudeOutput(call, said);
}

function claudeOutput({ event, host }: HookCall, said: Exclude<HookSaid, { kind: 'nothing' }>): string {
  switch (said.kind) {
    case 'context':
      // Claude Code takes what this hook prints as instructions for the summary; Codex shows a message.
      if (event === 'PreCompact') return host === 'codex' ? JSON.stringify({ systemMessage: said.text }) : said.text;
      return JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext: said.text } });
    case 'deny':
      return JSON.stringify({
        hookSpecificOutput: {
          hookEventName: event,
          permissionDecision: 'deny',
          permissionDecisionReason: said.text,
        },
      });
    case 'go-on':
      return JSON.stringify({ decision: 'block', reason: said.text });
  }
}

function cursorOutput(said: Exclude<HookSaid, { kind: 'nothing' }>): string {
  switch (said.kind) {
    case 'context':
      return JSON.stringify({ additional_context: said.text });
    case 'deny':
      return JSON.stringify({ permission: 'deny', user_message: said.text, agent_message: said.text });
    case 'go-on':
      return JSON.stringify({ followup_message: said.text });
  }
}
