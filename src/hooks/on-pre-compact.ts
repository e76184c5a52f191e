import { type HookSaid, nothing } from './hook-output.ts';
import { type HookContext, sessionStands } from './hook-session.ts';

/** Names what must not get lost with the context; all else is in the store and comes back with the next call. */
export async function onPreCompact(context: HookContext): Promise<HookSaid> {
  const stands = await sessionStands(context);
  if (stands === undefined || stands.claims.length + stands.gates.length === 0) return nothing;
  const claims = stands.claims.map(
    ({ todo, title, token, holder, goal }) =>
      `claim on ${todo} "${title}" of goal ${goal}, token ${token}, as ${holder}`,
  );
  const gates = stands.gates.map(({ gate, question }) => `open gate ${gate}: ${question}`);
  return {
    kind: 'context',
    text: `LoopX keeps the state of this work. Keep in the summary: ${[...claims, ...gates].join('; ')}. Keep what was found and checked but not yet written back. After it, ask quota_should_run before going on.`,
  };
}
