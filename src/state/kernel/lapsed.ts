import { sightingOf, takingOf } from './claim-standing.ts';
import type { Claim, Scope, Todo } from './model.ts';
import { touches } from './reserved.ts';
import { scopesOverlap } from './scope.ts';
import type { Work } from './work.ts';

export const takenWords = {
  'holder-gone': 'your process or connection had ended',
  'ttl-ran-out': 'its ttl ran out',
  'stood-still': 'its ttl ran out and nothing of you moved',
  'challenge-unanswered': 'you did not answer the challenge in time',
  taken: 'it could be taken',
};

/** Takes a claim from its holder, who is told; what was seen of the holder is recorded. */
export function takeOver(work: Work, todo: Todo & { readonly claim: Claim }): void {
  const taking = takingOf(work, todo.claim);
  const why = taking.can ? taking.why : 'taken';
  const { holder } = todo.claim;
  const { standing, isIdle, pid, lastActivityAt, beatAt } = sightingOf(work, todo.claim);
  const seen = {
    standing,
    isIdle,
    ...(pid !== undefined && { pid }),
    ...(lastActivityAt !== undefined && { lastActivityAt }),
    ...(beatAt !== undefined && { beatAt }),
  };
  work.emit({ type: 'claim.taken-over', todo: todo.todo, from: holder, to: work.agent, why, seen });
  work.notify(holder, {
    code: 'claim-lost',
    todo: todo.todo,
    text: `You lost ${todo.todo}: ${work.agent} took it over (${takenWords[why]}). Ask quota_should_run what to do next.`,
  });
}

/**
 * Ends the leases of others that lapsed and overlap what is taken now, in the same commit: a holder that comes back
 * would otherwise renew its lease beside the new one, and two would hold the same thing.
 */
export function endLapsed(work: Work, scope: Scope, mode: 'exclusive' | 'shared' = 'exclusive'): void {
  for (const id of [...work.state.index.active.keys()]) {
    const todo = work.state.todos.get(id);
    if (!todo?.claim || todo.claim.holder === work.agent || !scopesOverlap(scope, todo.scope)) continue;
    if (!takingOf(work, todo.claim).can) continue;
    takeOver(work, todo as Todo & { claim: Claim });
    work.emit({ type: 'todo.opened', todo: id, why: 'released' });
  }
  for (const other of [...work.state.reservations.values()]) {
    if (other.holder === work.agent || (mode === 'shared' && other.mode === 'shared')) continue;
    if (!touches(scope, other.resource) || !takingOf(work, other).can) continue;
    work.emit({ type: 'reservation.released', resource: other.resource, agent: other.holder, why: 'lapsed' });
    work.notify(other.holder, {
      code: 'claim-lost',
      text: `Your reservation of ${other.resource} lapsed and ${work.agent} took what it covers.`,
    });
  }
}
