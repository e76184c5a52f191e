import { digestOf, evidenceOf } from '../../src/state/act-facts.ts';
import type { Caller, Query } from '../../src/state/answer.ts';
import type { ControlPlane } from '../../src/state/control-plane.ts';
import type { Act, Actor, Seen } from '../../src/state/kernel/commands.ts';
import { type Decided, decide } from '../../src/state/kernel/decide.ts';
import { decideTurn, type TurnDecision } from '../../src/state/kernel/decision.ts';
import { evolveCommit } from '../../src/state/kernel/evolve.ts';
import { findGoal } from '../../src/state/kernel/find.ts';
import { initialState, type State } from '../../src/state/kernel/state.ts';
import { nothingSeen, type View } from '../../src/state/kernel/view.ts';
import type { Commit } from '../../src/state/log/commit-log.ts';
import { nodeCrypto } from '../../src/state/node-crypto.ts';
import { factsOf } from '../../src/state/replica.ts';
import { parseInput } from '../../src/tools/parse-input.ts';
import { toolNamed } from '../../src/tools/registry.ts';
import type { Operation } from './history.ts';

/** What a call asks the control plane: an act with its key, a query, or nothing at all since its arguments are refused. */
export interface Asked {
  readonly act?: Act;
  readonly key?: string | undefined;
  readonly query?: Query;
}

/** Runs the tool on a plane that only listens, so that the model is asked just what a server would ask. */
export function askedBy({ tool: name, args }: Operation): Asked {
  const tool = toolNamed(name);
  const input = tool && parseInput(tool, args);
  if (!input?.ok) return {};
  let asked: Asked = {};
  const never = new Promise<never>(() => undefined);
  const listener = {
    execute: (act: Act, _: Caller, key?: string) => {
      asked = { act, key };
      return never;
    },
    query: (query: Query) => {
      asked = { query };
      return never;
    },
  } as unknown as ControlPlane;
  void tool?.run(listener, input.args, { host: 'model', kind: 'mcp' });
  return asked;
}

/** The kernel over the commits of one log: its state at every version, and what it decides there. */
export class Model {
  /** By version. States share what they have in common, so keeping all of them is cheap. */
  readonly states: readonly State[];
  readonly #sessions = new Map<string, { readonly session: string; readonly host: string }>();

  constructor(commits: readonly Commit[]) {
    const states = [initialState()];
    for (const commit of commits) {
      states.push(evolveCommit(states[states.length - 1] as State, factsOf(commit)));
      const { agent, session, host } = commit.by;
      if (typeof agent === 'string') this.#sessions.set(agent, { session: String(session), host: String(host) });
    }
    this.states = states;
  }

  /** @param wall when it is asked, ms; by itself the time of the state, for what does not depend on it */
  decide(version: number, agent: string, { act, key }: Asked, wall?: number): Decided {
    const state = this.states[version] as State;
    if (act === undefined) throw new Error('only an act can be decided');
    const command = { act, actor: this.#actor(agent), wall: wall ?? state.at, seen: seenBy(state, act), key };
    return decide({ ...command, digest: digestOf(act) }, state, nodeCrypto);
  }

  /** What quota_should_run says at that version; undefined where it cannot say which goal is meant. */
  turn(version: number, agent: string, query: Query): TurnDecision | undefined {
    const view = this.view(version, agent);
    const goal = findGoal(view.state, 'goal' in query ? query.goal : undefined);
    return 'refusal' in goal ? undefined : decideTurn(view, goal);
  }

  view(version: number, agent: string): View {
    const state = this.states[version] as State;
    const { session } = this.#actor(agent);
    return { state, at: state.at, agent, session, capabilities: [], seen: seenBy(state) };
  }

  #actor(agent: string): Extract<Actor, { kind: 'agent' }> {
    const { session, host } = this.#sessions.get(agent) ?? { session: `of ${agent}`, host: 'unknown' };
    return { kind: 'agent', fallback: agent, session, host, sessionKind: 'mcp' };
  }
}

/** Every session was alive for as long as the history was made, and no evidence in it rests on files. */
function seenBy(state: State, act?: Act): Seen {
  const sessions: { [name: string]: Seen['sessions'][string] } = {};
  for (const { agent, session } of state.agents.values()) {
    sessions[`${session}/${agent}`] = { standing: 'alive', isIdle: false };
  }
  const hashed = act === undefined ? [] : evidenceOf(act).map(() => ({ files: [], globs: [] }));
  return { ...nothingSeen, sessions, hashed };
}
