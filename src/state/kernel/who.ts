import type { Actor, Command, Sighting } from './commands.ts';
import { limits } from './limits.ts';
import type { Agent } from './model.ts';
import { badArgument, call, type Refused, refuse } from './refusal.ts';
import type { State } from './state.ts';

type AgentActor = Extract<Actor, { kind: 'agent' }>;

/** The agent that speaks, and what its binding to the session takes: nothing, a join, or a join that fences another session. */
export interface Who {
  readonly agent: string;
  readonly isJoined: boolean;
  /** The session that the join ends for this agent. */
  readonly fences?: string;
}

/** Names that commits give to others than agents: the control plane itself, and owners. */
const reserved = /^(loopx$|owner(:|$))/;

/** One spelling for one agent: trimmed, lower case; undefined where it is no id, or one that no agent may bear. */
export function normalizeAgent(text: string): string | undefined {
  const id = text.trim().toLowerCase();
  if (reserved.test(id)) return undefined;
  return /^[\p{L}\p{N}][\p{L}\p{N}._@:/-]*$/u.test(id) && id.length <= limits.agentIdChars ? id : undefined;
}

/**
 * Who a call is by: the agent it names, else the one that joined its session, else the one that another session took
 * from it (so that a fenced session hears of it, instead of going on as somebody else), else the session's own name.
 */
export function whoAsks(state: State, actor: AgentActor): Who | Refused {
  const joined = state.sessions.get(actor.session) ?? [];
  if (actor.agent === undefined && joined.length > 1) {
    return badArgument(
      'agent',
      `Several agents joined this connection (${joined.join(', ')}); say which one acts, e.g. agent: "${joined[0]}".`,
    );
  }
  const spelled = actor.agent ?? joined[0] ?? fencedFrom(state, actor.session) ?? actor.fallback;
  const agent = normalizeAgent(spelled);
  if (agent === undefined) {
    return badArgument(
      'agent',
      `agent is a name of up to ${limits.agentIdChars} letters, digits and ._-, not "loopx" or "owner", e.g. "reviewer".`,
    );
  }
  return { agent, isJoined: joined.includes(agent) };
}

function fencedFrom(state: State, session: string): string | undefined {
  // A session without an entry was never joined, and most calls come from one that is.
  if (!state.sessions.has(session)) return undefined;
  for (const agent of state.agents.values()) if (agent.formerSessions.includes(session)) return agent.agent;
  return undefined;
}

/** Who writes: as `whoAsks`, and refused where the name is live in another session. */
export function whoWrites(state: State, command: Command, actor: AgentActor): Who | Refused {
  const who = whoAsks(state, actor);
  if ('refusal' in who || who.isJoined) return who;
  const bound = state.agents.get(who.agent);
  if (!bound || bound.session === actor.session) return who;
  const sighting = command.seen.sessions[`${bound.session}/${who.agent}`] ?? { standing: 'unknown', isIdle: false };
  if (isFree(state, command, actor, bound, sighting)) return { ...who, fences: bound.session };
  const since = sighting.lastActivityAt === undefined ? undefined : new Date(sighting.lastActivityAt).toISOString();
  return refuse(
    'agent-in-use',
    `Agent ${who.agent} is live in another session (${bound.host}${sighting.pid === undefined ? '' : `, pid ${sighting.pid}`}); join under another name.`,
    {
      agent: who.agent,
      host: bound.host,
      ...(sighting.pid === undefined ? {} : { pid: sighting.pid }),
      ...(since === undefined ? {} : { lastActivity: since }),
    },
    call('agent_join', { agent: freeName(state, who.agent) }, 'a name that nobody uses'),
  );
}

/**
 * A session gives its agent up when it is dead, idle, of the same host session, or a command line's. A session that
 * was fenced does not come back by its host session: the one that took over is the newer.
 */
function isFree(state: State, command: Command, actor: AgentActor, bound: Agent, sighting: Sighting): boolean {
  if (bound.sessionKind === 'cli') return true;
  const isNew = !bound.formerSessions.includes(actor.session);
  if (isNew && actor.hostSession !== undefined && actor.hostSession === bound.hostSession) return true;
  if (sighting.standing === 'dead') return true;
  if (sighting.standing === 'alive') return sighting.isIdle;
  const lastSeen = Math.max(bound.joinedAt - state.clockOffsetMs, sighting.lastActivityAt ?? 0);
  return command.wall - lastSeen > command.seen.idleAfterS * 1_000;
}

function freeName(state: State, agent: string): string {
  for (let n = 2; ; n++) {
    const name = `${agent}-${n}`;
    if (!state.agents.has(name)) return name;
  }
}
