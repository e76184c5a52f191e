import type { Answer, SessionQuery } from './answer.ts';
import type { Actor } from './kernel/commands.ts';
import type { Event } from './kernel/events.ts';
import { standingGates } from './kernel/gate-hold.ts';
import type { State } from './kernel/state.ts';
import type { View } from './kernel/view.ts';
import { type Deed, heldBy, type Permit, permit } from './permit.ts';
import type { Reads } from './reads.ts';
import { gateLine, howToAnswer } from './views/gate-view.ts';
import { cut } from './views/shape.ts';

/** Whether what a host's tool is about to do may go on; the answers of hooks, which take no notices from the agents. */
export async function permitAnswer(
  reads: Reads,
  state: State,
  query: SessionQuery & Deed,
  actor: Actor,
): Promise<Answer> {
  // A damaged log gives what is good before it says so; what a gate protects may stand in the rest, so this must throw.
  await reads.catchUp();
  const view = await quietView(reads, actor);
  return reads.ok(view, permitView(view, permit(state, agentsOf(state, query, actor), query)));
}

/** Who speaks in this session, what they hold, whether they wrote back about it since they took it, and the gates. */
export async function sessionAnswer(reads: Reads, state: State, query: SessionQuery, actor: Actor): Promise<Answer> {
  const view = await quietView(reads, actor);
  const agents = agentsOf(state, query, actor);
  const claims = [];
  for (const { todo, goal, title, scope, claim } of heldBy(state, agents)) {
    if (!claim) continue;
    const { holder, token } = claim;
    const wroteBack = await hasWrittenBack(reads, todo, holder, token);
    claims.push({ todo, goal, title: cut(title, 120), scope, holder, token, wroteBack });
  }
  const goals = [...state.goals.values()].filter(({ status }) => status === 'active' || status === 'paused');
  const gates = goals.flatMap(({ goal }) => standingGates(state, goal)).filter((gate) => gate.state === 'open');
  return reads.ok(view, {
    agents,
    goals: goals.map(({ goal }) => goal),
    claims: claims.slice(0, 20),
    gates: gates.slice(0, 10).map((gate) => ({ ...gateLine(gate), protects: gate.protects })),
    gatesTotal: gates.length,
  });
}

/** What is asked on behalf of a session is answered to nobody, so that no notice is taken away from its agents. */
async function quietView(reads: Reads, actor: Actor): Promise<View> {
  return { ...(await reads.viewOf(actor, {})), agent: '' };
}

/**
 * The agents that the caller's session speaks for. A host may have ended its server already when its last hook runs:
 * then they are those whose server named the same host session when they joined.
 */
function agentsOf(state: State, { anyOfHost }: SessionQuery, actor: Actor): readonly string[] {
  const all = [...state.agents.values()];
  if (anyOfHost !== undefined)
    return all.filter(({ host }) => host.toLowerCase().includes(anyOfHost)).map(({ agent }) => agent);
  if (actor.kind !== 'agent') return [];
  const bound = state.sessions.get(actor.session) ?? [];
  if (bound.length > 0 || actor.hostSession === undefined) return bound;
  return all.filter(({ hostSession }) => hostSession === actor.hostSession).map(({ agent }) => agent);
}

async function hasWrittenBack(reads: Reads, todo: string, holder: string, token: number): Promise<boolean> {
  const since = await reads.log.read(token);
  return since
    .flatMap((commit) => commit.events as readonly Event[])
    .some((event) => event.type === 'turn.written-back' && event.todo === todo && event.agent === holder);
}

function permitView(view: View, found: Permit): object {
  if (found.permitted) return { permitted: true };
  const { permitted, by, what } = found;
  const said = { permitted, by, what: what === '' ? 'the whole workspace' : cut(what, 300) };
  if (found.by === 'gate') {
    const { gate, rule } = found;
    return {
      ...said,
      rule: cut(rule, 300),
      gate: { ...gateLine(gate), state: gate.state, howToAnswer: howToAnswer(view, gate) },
    };
  }
  if (found.by === 'deny-path') return { ...said, rule: cut(found.rule, 300), goal: found.goal };
  if (found.by === 'scope') {
    const todos = found.todos.slice(0, 5).map(({ todo, title, scope }) => ({ todo, title: cut(title, 120), scope }));
    return { ...said, todos };
  }
  return said;
}
