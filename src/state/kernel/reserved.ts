import { claimsOfOthers, expiresAt, isReserved } from './claim-standing.ts';
import { wallIso } from './clock.ts';
import type { Scope } from './model.ts';
import { call, type Refused, refuse } from './refusal.ts';
import { globsOverlap, hasScope, scopesOverlap } from './scope.ts';
import type { View } from './view.ts';

/** What another agent holds that stands in the way. */
export interface Obstacle {
  readonly holder: string;
  readonly what: string;
  /** Log ms. */
  readonly expiresAt: number;
  readonly todo?: string;
}

/** The first live claim or reservation of another agent that overlaps the scope, if it is wanted in that mode. */
export function obstacleTo(view: View, scope: Scope, mode: 'exclusive' | 'shared' = 'exclusive'): Obstacle | undefined {
  if (!hasScope(scope)) return undefined;
  for (const todo of claimsOfOthers(view)) {
    if (scopesOverlap(scope, todo.scope)) {
      return {
        holder: todo.claim.holder,
        what: `the scope of ${todo.todo}`,
        expiresAt: expiresAt(view, todo.claim),
        todo: todo.todo,
      };
    }
  }
  for (const reservation of view.state.reservations.values()) {
    if (reservation.holder === view.agent || (mode === 'shared' && reservation.mode === 'shared')) continue;
    if (!touches(scope, reservation.resource) || !isReserved(view, reservation)) continue;
    return { holder: reservation.holder, what: reservation.resource, expiresAt: expiresAt(view, reservation) };
  }
  return undefined;
}

export function refuseReserved(view: View, { holder, what, expiresAt: at, todo }: Obstacle): Refused {
  const until = wallIso(view.state, at);
  return refuse(
    'reserved',
    `${holder} holds ${what} until ${until}.`,
    { holder, until, ...(todo !== undefined && { todo }) },
    call('goal_status', { view: 'reservations' }, 'what is held by whom'),
  );
}

/** Whether the scope has to do with a reserved name; `path:` names are globs. */
export function touches(scope: Scope, resource: string): boolean {
  const path = pathOf(resource);
  return path === undefined ? scope.resources.includes(resource) : scope.paths.some((glob) => globsOverlap(glob, path));
}

/** The glob of a `path:` resource. */
export function pathOf(resource: string): string | undefined {
  return resource.startsWith('path:') ? resource.slice('path:'.length) : undefined;
}

/** Named resources as one scope, so that they are compared like a todo's. */
export function scopeOfResources(resources: readonly string[]): Scope {
  const paths = resources.flatMap((resource) => pathOf(resource) ?? []);
  return { paths, resources: resources.filter((resource) => pathOf(resource) === undefined) };
}
