import { AgentMemory } from '../state/presence/agent-memory.ts';
import { type HookSaid, nothing } from './hook-output.ts';
import { type HeldClaim, type HookContext, sessionStands } from './hook-session.ts';

/** Asks once a claim for the writeback that is missing: never while a hook keeps the agent going, never twice. */
export async function onStop(context: HookContext): Promise<HookSaid> {
  if (context.call.isStopActive) return nothing;
  const stands = await sessionStands(context);
  const missing = (stands?.claims ?? []).filter((claim) => !claim.wroteBack);
  const unasked = notAskedBefore(context, missing);
  if (unasked.length === 0) return nothing;
  const held = unasked.map(({ todo, title, token, holder }) => `${todo} "${title}" (token ${token}, as ${holder})`);
  return {
    kind: 'go-on',
    text: `LoopX: you still hold ${held.join(', ')} and wrote nothing back about it. Close the turn with one writeback (outcome, summary, evidence, the todo's new state), or release it with todo_update {"state": "open"}. This is asked once.`,
  };
}

/** The claims that this session was not asked about yet; from now on it was. */
function notAskedBefore({ call, workspace }: HookContext, claims: readonly HeldClaim[]): readonly HeldClaim[] {
  if (claims.length === 0) return [];
  const memory = new AgentMemory(workspace.stateDir);
  const name = `hook of ${call.host} ${call.session ?? ''}`;
  const asked = memory.get(name).notified;
  const fresh = claims.filter((claim) => asked[keyOf(claim)] === undefined);
  if (fresh.length === 0) return [];
  const now = Object.fromEntries(fresh.map((claim) => [keyOf(claim), { at: Date.now(), count: 1 }]));
  memory.update(name, (old) => ({ ...old, notified: { ...old.notified, ...now } }));
  return fresh;
}

function keyOf({ todo, token }: HeldClaim): string {
  return `writeback:${todo}:${token}`;
}
