import { expect } from 'vitest';
import { digestOf, evidenceOf } from '../../../src/state/act-facts.ts';
import { asOf } from '../../../src/state/kernel/clock.ts';
import type {
  Act,
  Actor,
  Command,
  GoalStart,
  OwnerAct,
  Seen,
  Sighting,
  TodoSpec,
} from '../../../src/state/kernel/commands.ts';
import { type Decided, decide } from '../../../src/state/kernel/decide.ts';
import { decideTurn, type TurnDecision } from '../../../src/state/kernel/decision.ts';
import { type CommitFacts, evolveCommit } from '../../../src/state/kernel/evolve.ts';
import { findGoal } from '../../../src/state/kernel/find.ts';
import type { Claim, Gate, Goal, Todo } from '../../../src/state/kernel/model.ts';
import type { Refusal, RefusalCode } from '../../../src/state/kernel/refusal.ts';
import { initialState, type Result, type State } from '../../../src/state/kernel/state.ts';
import type { View } from '../../../src/state/kernel/view.ts';
import { nodeCrypto } from '../../../src/state/node-crypto.ts';

type AgentAct = Exclude<Act, OwnerAct>;
type AgentActor = Extract<Actor, { kind: 'agent' }>;
type OwnerActor = Extract<Actor, { kind: 'owner' }>;

export interface Aside {
  readonly key?: string;
  /** Where the call comes from, if not from the agent's own living session. */
  readonly from?: Partial<AgentActor>;
}

/** What a command came to. */
export type Outcome =
  | { readonly ok: true; readonly result: Result; readonly version: number; readonly replayed?: number }
  | { readonly ok: false; readonly refusal: Refusal };

export const start = Date.parse('2030-01-01T00:00:00Z');

/** A control plane without a disk: a log in memory, a clock that only the test moves, and sightings as it sets them. */
export class Given {
  state: State = initialState();
  readonly commits: CommitFacts[] = [];
  wall = start;
  /** Present SHA-256 of each file and glob; a file that evidence rests on is taken down as it is here. */
  readonly files: { [path: string]: string | null } = {};
  readonly globs: { [glob: string]: string } = {};
  idleAfterS = 3_600;
  graceS = 300;
  readonly #sightings: { [session: string]: Partial<Sighting> } = {};

  wait(seconds: number): this {
    this.wall += seconds * 1_000;
    return this;
  }

  /** Sets what is seen of a session from now on; one that nothing is said of lives and beats. */
  see(agentOrSession: string, sighting: Partial<Sighting>): this {
    this.#sightings[this.state.agents.get(agentOrSession)?.session ?? agentOrSession] = sighting;
    return this;
  }

  dead = (agent: string): this => this.see(agent, { standing: 'dead' });
  unknown = (agent: string): this => this.see(agent, { standing: 'unknown', beatAt: undefined });
  /** Lives, but its heartbeat has stopped now. */
  silent = (agent: string): this => this.see(agent, { beatAt: this.wall });
  idle = (agent: string): this => this.see(agent, { beatAt: this.wall, isIdle: true });

  actor(agent: string, from: Partial<AgentActor> = {}): AgentActor {
    const session = `s-${agent}`;
    return { kind: 'agent', agent, fallback: agent, session, sessionKind: 'mcp', host: 'test', ...from };
  }

  owner(act: OwnerAct, as: Partial<OwnerActor> = {}): Outcome {
    return this.#run(act, { kind: 'owner', name: 'Olga', channel: 'cli', grade: 'confirmed', ...as });
  }

  owned(act: OwnerAct, as: Partial<OwnerActor> = {}): Result {
    return accepted(this.owner(act, as));
  }

  try(agent: string, act: AgentAct, aside: Aside = {}): Outcome {
    return this.#run(act, this.actor(agent, aside.from), aside.key);
  }

  /** What would come of it at this version; nothing is written. */
  peek(agent: string, act: AgentAct, aside: Aside = {}): Decided {
    return decide(this.command(act, this.actor(agent, aside.from), aside.key), this.state, nodeCrypto);
  }

  do(agent: string, act: AgentAct, aside: Aside = {}): Result {
    return accepted(this.try(agent, act, aside));
  }

  refused(agent: string, code: RefusalCode, act: AgentAct, aside: Aside = {}): Refusal {
    return refusal(this.try(agent, act, aside), code);
  }

  seen(act?: Act): Seen {
    const sessions: { [key: string]: Sighting } = {};
    const see = (session: string, agent: string) => {
      sessions[`${session}/${agent}`] = {
        standing: 'alive',
        isIdle: false,
        beatAt: this.wall,
        ...this.#sightings[session],
      };
    };
    for (const agent of this.state.agents.values()) see(agent.session, agent.agent);
    const inputs = act ? evidenceOf(act) : [];
    return {
      sessions,
      files: this.files,
      globs: Object.fromEntries(Object.entries(this.globs).map(([glob, sha256]) => [glob, { sha256, files: [] }])),
      hashed: inputs.map(({ files = [], globs = [], commit }) => ({
        files: files.map((path) => ({ path, sha256: this.files[path] ?? 'absent' })),
        globs: globs.map((glob) => ({ glob, sha256: this.globs[glob] ?? 'absent', count: 0, files: [] })),
        ...(commit !== undefined && { commit }),
      })),
      idleAfterS: this.idleAfterS,
      graceS: this.graceS,
    };
  }

  view(agent: string, session?: string): View {
    const { state, at } = asOf(this.state, this.wall);
    const known = state.agents.get(agent);
    const capabilities = known?.capabilities ?? [];
    return { state, at, agent, session: session ?? known?.session ?? `s-${agent}`, capabilities, seen: this.seen() };
  }

  /** What quota_should_run decides. */
  decision(agent: string, goal?: string, view = this.view(agent)): TurnDecision {
    return decideTurn(view, this.goal(goal));
  }

  row(agent: string, goal?: string): string {
    const { decision, code } = this.decision(agent, goal);
    return `${decision} ${code}`;
  }

  goal(name?: string): Goal {
    return findGoal(this.state, name) as Goal;
  }

  todo(id: string): Todo {
    return this.state.todos.get(id) as Todo;
  }

  claim(id: string): Claim | undefined {
    return this.todo(id).claim;
  }

  gate(id: string): Gate {
    return this.state.gates.get(id) as Gate;
  }

  told(agent: string): readonly string[] {
    return (this.state.notices.get(agent) ?? []).map((notice) => notice.code);
  }

  command(act: Act, actor: Actor, key?: string): Command {
    return { act, actor, wall: this.wall, seen: this.seen(act), key, digest: digestOf(act) };
  }

  #run(act: Act, actor: Actor, key?: string): Outcome {
    const command = this.command(act, actor, key);
    const decided = decide(command, this.state, nodeCrypto);
    if ('refusal' in decided) return { ok: false, refusal: decided.refusal };
    const { events, result, at, agent, replayed } = decided;
    if (events.length > 0) {
      const version = this.state.version + 1;
      const receipt = key === undefined ? undefined : { key, digest: command.digest ?? '', act: act.type, result };
      const log = version === 1 ? 'log-1' : undefined;
      // A commit is folded as the log gives it back, not as it was made.
      const commit = JSON.parse(JSON.stringify({ version, at, log, agent, receipt, events })) as CommitFacts;
      this.commits.push(commit);
      this.state = evolveCommit(this.state, commit);
    }
    return { ok: true, result, version: this.state.version, ...(replayed !== undefined && { replayed }) };
  }
}

export function accepted(outcome: Outcome): Result {
  if (!outcome.ok) expect.fail(`refused: ${outcome.refusal.code}: ${outcome.refusal.message}`);
  return outcome.result;
}

export function refusal(outcome: Outcome, code: RefusalCode): Refusal {
  if (outcome.ok) expect.fail(`accepted, and ${code} was expected`);
  expect(outcome.refusal.code, outcome.refusal.message).toBe(code);
  return outcome.refusal;
}

/** A goal with these todos, started by an agent that then does nothing more. */
export function givenGoal(todos: readonly (string | TodoSpec)[] = [], more: Partial<GoalStart> = {}): Given {
  const given = new Given();
  const specs = todos.map((todo) => (typeof todo === 'string' ? { title: todo } : todo));
  given.do('starter', { type: 'goal.start', goal: 'parser', objective: 'Make the parser fast', todos: specs, ...more });
  return given;
}
