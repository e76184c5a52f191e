import type { Sighting } from './commands.ts';
import type { Claim, Reservation, Todo } from './model.ts';
import type { View } from './view.ts';

/** How a claim stands: its holder lives, is idle, let it run out, or is gone. */
export type Standing = 'live' | 'idle' | 'expired' | 'orphaned';

type Lease = Pick<Claim, 'holder' | 'session' | 'ttlS' | 'renewedAt'>;

export function sightingOf(view: View, lease: { readonly session: string; readonly holder: string }): Sighting {
  return view.seen.sessions[`${lease.session}/${lease.holder}`] ?? { standing: 'unknown', isIdle: false };
}

/** When the lease runs out, log ms: its ttl from the last renewal, by a write or by the server's heartbeat. */
export function expiresAt(view: View, lease: Lease): number {
  const beat = sightingOf(view, lease).beatAt;
  const beatAt = beat === undefined ? 0 : beat + view.state.clockOffsetMs;
  return Math.max(lease.renewedAt, Math.min(beatAt, view.at)) + lease.ttlS * 1_000;
}

export function standingOf(view: View, lease: Lease): Standing {
  const sighting = sightingOf(view, lease);
  if (sighting.standing === 'dead') return 'orphaned';
  if (view.at >= expiresAt(view, lease)) return 'expired';
  return sighting.standing === 'alive' && sighting.isIdle ? 'idle' : 'live';
}

/** Whether the lease may be taken from its holder now, why, or after how many more seconds of watching. */
export type Taking =
  | { readonly can: true; readonly why: 'holder-gone' | 'ttl-ran-out' | 'stood-still' | 'challenge-unanswered' }
  | { readonly can: false; readonly watchLeftS?: number };

export function takingOf(view: View, lease: Lease & { readonly challenge?: Claim['challenge'] }): Taking {
  const standing = standingOf(view, lease);
  const sighting = sightingOf(view, lease);
  if (standing === 'orphaned') return { can: true, why: 'holder-gone' };
  const challenge = lease.challenge;
  if (challenge?.by === view.agent && view.at >= challenge.at + challenge.graceS * 1_000) {
    return { can: true, why: 'challenge-unanswered' };
  }
  if (standing !== 'expired') return { can: false };
  if (sighting.standing === 'unknown') return { can: true, why: 'ttl-ran-out' };
  if (sighting.hasStoodStill) return { can: true, why: 'stood-still' };
  return sighting.watchLeftS === undefined ? { can: false } : { can: false, watchLeftS: sighting.watchLeftS };
}

/** Every todo under a claim that holds against this agent: another's, not takeable at once. */
export function* claimsOfOthers(view: View): Generator<Todo & { readonly claim: Claim }> {
  for (const id of view.state.index.active.keys()) {
    const todo = view.state.todos.get(id);
    if (todo?.claim && todo.claim.holder !== view.agent && !takingOf(view, todo.claim).can) {
      yield todo as Todo & { readonly claim: Claim };
    }
  }
}

export function ownClaims(view: View, goal: string): readonly (Todo & { readonly claim: Claim })[] {
  const own: (Todo & { readonly claim: Claim })[] = [];
  for (const id of view.state.index.active.keys()) {
    const todo = view.state.todos.get(id);
    if (todo?.goal === goal && todo.claim?.holder === view.agent) own.push(todo as Todo & { readonly claim: Claim });
  }
  return own;
}

/** Whether a reservation made by hand still holds. */
export function isReserved(view: View, reservation: Reservation): boolean {
  return !takingOf(view, reservation).can;
}
