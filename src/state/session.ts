import { customAlphabet, nanoid } from 'nanoid';
import type { Caller, OwnerCaller } from './answer.ts';
import type { Actor } from './kernel/commands.ts';
import { findByHostSession, findByLoopxSession, type Presence } from './presence/presence.ts';
import { SessionPresence } from './presence/session-presence.ts';

type AgentActor = Extract<Actor, { kind: 'agent' }>;

const fourRandom = customAlphabet('0123456789abcdefghijklmnopqrstuvwxyz', 4);

/**
 * The session that this process is: a server's, named once for its life, or a command line's. A command-line call
 * belongs to the live server session whose host session id or LOOPX_SESSION it carries, and acts as its agent;
 * otherwise it is a session of the agent's name, the same for every call, with nobody to witness that it lives.
 */
export class Session {
  readonly id: string = nanoid().replaceAll('_', '-');
  readonly #store: Presence;
  readonly #env: NodeJS.ProcessEnv;
  readonly #now: () => number;
  #ownName: string | undefined;
  #presence: SessionPresence | undefined;

  constructor(store: Presence, env: NodeJS.ProcessEnv, now: () => number = Date.now) {
    this.#store = store;
    this.#env = env;
    this.#now = now;
  }

  actorOf(caller: Caller): AgentActor {
    const fallback = this.#nameFor(caller);
    const { agent, host } = caller;
    const hostSession = caller.hostSession ?? undefined;
    if (caller.kind === 'mcp')
      return { kind: 'agent', agent, fallback, session: this.id, sessionKind: 'mcp', host, hostSession };
    const live = this.#liveServer(hostSession);
    if (live) {
      return {
        kind: 'agent',
        agent: agent ?? (this.#env.LOOPX_AGENT || undefined),
        fallback,
        session: live.session,
        sessionKind: 'mcp',
        host: live.host,
        hostSession: live.hostSession,
      };
    }
    const name = (agent ?? fallback).trim().toLowerCase();
    return { kind: 'agent', agent, fallback, session: `cli-${name}`, sessionKind: 'cli', host, hostSession };
  }

  #nameFor(caller: Caller): string {
    if (this.#env.LOOPX_AGENT) return this.#env.LOOPX_AGENT;
    this.#ownName ??= `${
      caller.host
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, '-')
        .replace(/^-+|-+$/g, '')
        .slice(0, 40) || 'agent'
    }-${fourRandom()}`;
    return this.#ownName;
  }

  #liveServer(hostSession: string | undefined) {
    const named = this.#env.LOOPX_SESSION;
    return (
      (hostSession === undefined ? undefined : findByHostSession(this.#store, hostSession)) ??
      (named ? findByLoopxSession(this.#store, named) : undefined)
    );
  }

  /** A tool call by an agent that joined this session, or is about to: others see that it is awake. */
  touch(actor: Actor, agent: string): void {
    if (actor.kind !== 'agent' || actor.session !== this.id) return;
    this.#presence ??= new SessionPresence(this.#store, {
      session: this.id,
      kind: 'mcp',
      host: actor.host,
      hostSession: actor.hostSession,
      loopxSession: this.#env.LOOPX_SESSION || undefined,
    });
    this.#presence.touch(agent, this.#now());
  }

  /** Present once an agent joined. */
  get presence(): SessionPresence | undefined {
    return this.#presence;
  }

  end(): void {
    this.#presence?.end(this.#now());
  }
}

export function ownerActor(owner: OwnerCaller): Actor {
  return { kind: 'owner', ...owner };
}
