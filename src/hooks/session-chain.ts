import { AgentMemory } from '../state/presence/agent-memory.ts';
import type { HookCall } from './hook-call.ts';

/** After these the same host process goes on with another context, and with another session id for its hooks. */
const goesOn = new Set(['clear', 'resume']);
/** The hooks of the end and of the start come right after each other. */
const linkMsMax = 60_000;

/** Whether a session that ends for this reason is followed by another in the same host process. */
export function isFollowed(call: HookCall): boolean {
  return goesOn.has(call.reason ?? '');
}

/**
 * The session id that the host's server was started with. After `/clear` Claude Code gives its hooks a new id, but
 * keeps the server, which still knows the old one: the end of a session and the start of the next, run by one host
 * process, link the two. Kept with the memory of agents; lost, only the scope is no longer enforced.
 */
export function firstSession(call: HookCall, stateDir: string, hostPid: number = process.ppid): string | undefined {
  const { event, session } = call;
  if (session === undefined || call.host === 'cursor') return session;
  const memory = new AgentMemory(stateDir);
  if (event === 'SessionStart') return linked(memory, call, session, hostPid);
  const first = onlyKey(memory, linkName(session)) ?? session;
  if (event === 'SessionEnd' && isFollowed(call)) remember(memory, hostName(hostPid), first);
  return first;
}

function linked(memory: AgentMemory, { source }: HookCall, session: string, hostPid: number): string {
  const before = onlyKey(memory, linkName(session));
  if (source === 'compact') return before ?? session;
  const ended = goesOn.has(source ?? '') ? onlyKey(memory, hostName(hostPid), Date.now() - linkMsMax) : undefined;
  const first = ended ?? session;
  // A session that is resumed in a new process has a server of its own again.
  if (first !== (before ?? session)) remember(memory, linkName(session), first);
  return first;
}

function linkName(session: string): string {
  return `hook session ${session}`;
}

function hostName(pid: number): string {
  return `hook host ${pid}`;
}

function remember(memory: AgentMemory, name: string, first: string): void {
  memory.update(name, (old) => ({ ...old, notified: { [first]: { at: Date.now(), count: 1 } } }));
}

function onlyKey(memory: AgentMemory, name: string, sinceMs = 0): string | undefined {
  const [entry] = Object.entries(memory.get(name).notified);
  return entry !== undefined && entry[1].at >= sinceMs ? entry[0] : undefined;
}
