import { claimDecided, claimLost, claimTodo } from './claim.ts';
import { logTime } from './clock.ts';
import type { Act, AgentJoin, Command, Crypto, OwnerAct } from './commands.ts';
import { drawConsequences } from './consequences.ts';
import type { Event } from './events.ts';
import { writeEvidence } from './evidence.ts';
import { receiptKey } from './evolve.ts';
import { askGate } from './gate.ts';
import { startGoal } from './goal.ts';
import { offerHandoff } from './handoff.ts';
import { reportMonitor } from './monitor.ts';
import { ownerActs } from './owner.ts';
import { spendQuota } from './quota.ts';
import { call, type Refused, refuse } from './refusal.ts';
import { reserveResources } from './reservation.ts';
import { fenced } from './session.ts';
import type { Result, State } from './state.ts';
import { addTodoSpecs, updateTodo } from './todo.ts';
import { type Who, whoWrites } from './who.ts';
import { Work } from './work.ts';
import { writeBack } from './writeback.ts';

/** What a command comes to: events to append (none for a repeat that changes nothing) with what it was about, or a refusal. */
export type Decided =
  | {
      readonly events: readonly Event[];
      readonly result: Result;
      readonly at: number;
      readonly agent: string;
      readonly replayed?: number;
    }
  | (Refused & { readonly agent?: string });

/** Decides a command on a state. Pure: time, sightings and hashes come in with the command. */
export function decide(command: Command, state: State, crypto: Crypto): Decided {
  const { actor } = command;
  const clock = logTime(state, command.wall);
  const who: Who | Refused =
    actor.kind === 'owner' ? { agent: `owner:${actor.name}`, isJoined: true } : whoWrites(state, command, actor);
  if ('refusal' in who) return helped(fenced(state, command, clock.at) ?? who);
  const capabilities = capabilitiesOf(state, command, who.agent);
  const work = new Work(
    command,
    state,
    clock.at,
    { agent: who.agent, session: actor.kind === 'owner' ? '' : actor.session, capabilities },
    crypto,
  );
  const replay = replayed(work);
  if (replay)
    return 'refusal' in replay
      ? { ...helped(replay), agent: who.agent }
      : { ...replay, at: clock.at, agent: who.agent };
  if (clock.correctMs > 0) work.emit({ type: 'clock.corrected', byMs: clock.correctMs });
  if (actor.kind === 'agent') join(work, who);
  const joinedOnly = work.events.length;
  const result = handle(work, command.act);
  if ('refusal' in result) return { ...helped(result), agent: who.agent };
  const isIdle = work.events.length === joinedOnly && command.act.type !== 'agent.join';
  if (isIdle) return { events: [], result, at: clock.at, agent: who.agent };
  drawConsequences(work);
  return { events: work.events, result, at: clock.at, agent: who.agent };
}

/** Every refusal names a call that helps; where none fits better it is the look at how things stand. */
function helped({ refusal }: Refused): Refused {
  if (refusal.next.length > 0) return { refusal };
  return { refusal: { ...refusal, next: [call('goal_status', {}, 'how things stand, before you send it again')] } };
}

/** The handler of each act; one concept, one file. */
function handle(work: Work, act: Act): Result | Refused {
  switch (act.type) {
    case 'agent.join':
      return { agent: work.agent };
    case 'goal.start':
      return startGoal(work, act);
    case 'todo.add':
      return addTodoSpecs(work, act);
    case 'todo.claim':
      return claimTodo(work, act);
    case 'todo.update':
      return updateTodo(work, act);
    case 'gate.ask':
      return askGate(work, act);
    case 'evidence.write':
      return writeEvidence(work, act);
    case 'writeback':
      return writeBack(work, act);
    case 'quota.spend':
      return spendQuota(work, act);
    case 'quota.claim':
      return claimDecided(work, act);
    case 'handoff':
      return offerHandoff(work, act);
    case 'monitor.report':
      return reportMonitor(work, act);
    case 'reserve':
      return reserveResources(work, act);
    default:
      return asOwner(work, act);
  }
}

/** No tool of an agent does what only the owner may; a surface that tried would be refused here. */
function asOwner(work: Work, act: OwnerAct): Result | Refused {
  const { actor } = work.command;
  if (actor.kind === 'owner') return ownerActs(work, actor, act);
  return refuse(
    'not-allowed',
    'Only the owner does that, through a channel of their own.',
    {},
    call('goal_status', { view: 'gates' }, 'how the owner answers'),
  );
}

/** A join brings its event; the first write of a session joins by itself. */
function join(work: Work, who: Who): void {
  const { actor, act } = work.command;
  if (actor.kind !== 'agent' || (who.isJoined && act.type !== 'agent.join')) return;
  const told: AgentJoin = act.type === 'agent.join' ? act : {};
  work.emit({
    type: 'agent.joined',
    agent: who.agent,
    session: actor.session,
    sessionKind: actor.sessionKind,
    host: actor.host,
    ...(actor.hostSession !== undefined && { hostSession: actor.hostSession }),
    ...(told.capabilities && { capabilities: told.capabilities.map((name) => name.trim().toLowerCase()) }),
    ...(told.role !== undefined && { role: told.role }),
    ...(told.note !== undefined && { note: told.note }),
    ...(who.fences !== undefined && { fenced: who.fences }),
  });
}

function capabilitiesOf(state: State, command: Command, agent: string): readonly string[] {
  const known = state.agents.get(agent)?.capabilities ?? [];
  const { act } = command;
  const said = act.type === 'quota.claim' || act.type === 'agent.join' ? (act.capabilities ?? []) : [];
  return [...known, ...said.map((name) => name.trim().toLowerCase())];
}

/** The answer to a key that was used before: the same again, or a refusal if it was for something else. */
function replayed(
  work: Work,
): { readonly events: readonly Event[]; readonly result: Result; readonly replayed: number } | Refused | undefined {
  const { key, digest, act } = work.command;
  const receipt = key === undefined ? undefined : work.state.receipts.get(receiptKey(work.agent, key));
  if (!receipt) return undefined;
  if (receipt.digest !== digest || receipt.act !== act.type) {
    return refuse(
      'key-reused',
      `The idempotency key "${key}" was used for another call (version ${receipt.version}); use a new key for a new call.`,
      { field: 'idempotencyKey', version: receipt.version },
      call('goal_status', {}, 'how things stand'),
    );
  }
  const { todo, token } = receipt.result;
  const claimed = token === undefined || todo === undefined ? undefined : work.state.todos.get(todo);
  const isTakenOver = claimed?.lost[work.agent]?.token === token;
  const isPast = claimed?.claim !== undefined && claimed.claim.token !== token;
  if (claimed && (isTakenOver || isPast)) return claimLost(work, claimed);
  return { events: [], result: receipt.result, replayed: receipt.version };
}
