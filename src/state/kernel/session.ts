import { wallIso } from './clock.ts';
import type { Act, Command } from './commands.ts';
import type { Todo } from './model.ts';
import { call, type Refused, refuse } from './refusal.ts';
import type { State } from './state.ts';
import { whoAsks } from './who.ts';

/**
 * A write about a claimed todo from a session that another of the same agent has superseded: the claim is lost to that
 * session, which says more than that the name is in use.
 */
export function fenced(state: State, command: Command, at: number): Refused | undefined {
  const { actor, act } = command;
  if (actor.kind !== 'agent') return undefined;
  const who = whoAsks(state, actor);
  const todo = todoOf(state, act);
  if ('refusal' in who || !todo?.claim || todo.claim.holder !== who.agent) return undefined;
  const agent = state.agents.get(who.agent);
  if (!agent?.formerSessions.includes(actor.session)) return undefined;
  return refuse(
    'claim-lost',
    `Your session was superseded: ${who.agent} goes on in another one (${agent.host}), which holds ${todo.todo} now. Nothing was written.`,
    {
      todo: todo.todo,
      holder: who.agent,
      since: wallIso(state, agent.joinedAt),
      expiresAt: wallIso(state, Math.max(at, todo.claim.renewedAt + todo.claim.ttlS * 1_000)),
      standing: 'live',
    },
    call('quota_should_run', { goal: todo.goal }, 'what to do now'),
  );
}

function todoOf(state: State, act: Act): Todo | undefined {
  return 'todo' in act && typeof act.todo === 'string' ? state.todos.get(act.todo) : undefined;
}
