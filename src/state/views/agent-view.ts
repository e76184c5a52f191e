import { sightingOf } from '../kernel/claim-standing.ts';
import type { Agent } from '../kernel/model.ts';
import type { View } from '../kernel/view.ts';

/** An agent that has joined, with what was seen of its session. */
export function agentView(view: View, name: string) {
  const agent = view.state.agents.get(name) as Agent;
  const seen = sightingOf(view, { session: agent.session, holder: name });
  return {
    agent: name,
    session: agent.session,
    host: agent.host,
    capabilities: agent.capabilities,
    ...(agent.role !== undefined && { role: agent.role }),
    ...(agent.note !== undefined && { note: agent.note }),
    standing:
      agent.sessionKind === 'cli' ? 'command-line' : seen.standing === 'alive' && seen.isIdle ? 'idle' : seen.standing,
    ...(seen.lastActivityAt !== undefined && { lastActivity: new Date(seen.lastActivityAt).toISOString() }),
    holds: heldBy(view, agent),
  };
}

function heldBy(view: View, agent: Agent): readonly string[] {
  return [...view.state.index.active.keys()].filter((id) => view.state.todos.get(id)?.claim?.holder === agent.agent);
}

/** As many peers as an answer has room for. */
const mostPeers = 20;

export function peersOf(view: View) {
  const peers = [...view.state.agents.keys()].filter((name) => name !== view.agent).sort();
  return {
    peers: peers.slice(0, mostPeers).map((name) => {
      const { agent, host, capabilities, standing, holds } = agentView(view, name);
      return { agent, host, capabilities, standing, holds };
    }),
    shown: Math.min(peers.length, mostPeers),
    total: peers.length,
  };
}
