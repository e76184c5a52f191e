import { type HookSaid, nothing } from './hook-output.ts';
import { callerOf, type HookContext, sessionStands } from './hook-session.ts';
import { isFollowed } from './session-chain.ts';

/** Gives back what this session's agents hold, so that nobody has to wait for their leases; nothing of others. */
export async function onSessionEnd(context: HookContext): Promise<HookSaid> {
  const { call, plane } = context;
  // Where it is not known which agents are meant, the leases end by themselves.
  if (call.host === 'cursor' || isFollowed(call)) return nothing;
  const stands = await sessionStands(context);
  for (const { todo, token, holder } of stands?.claims ?? []) {
    const note = `Given back at the end of its session in ${call.host}${call.reason === undefined ? '' : ` (${call.reason})`}.`;
    await plane.execute({ type: 'todo.update', todo, token, state: 'open', note }, callerOf(context, holder));
  }
  return nothing;
}
