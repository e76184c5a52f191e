import { expiresAt, standingOf } from '../kernel/claim-standing.ts';
import { wallIso } from '../kernel/clock.ts';
import type { Reservation, Todo } from '../kernel/model.ts';
import { hasScope } from '../kernel/scope.ts';
import type { View } from '../kernel/view.ts';
import { answerBytes, paged } from './shape.ts';

interface Wanted {
  readonly resources?: readonly string[] | undefined;
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

/** What is held by name, by hand or through a claimed todo's scope. */
export function reservationsOf(view: View, wanted: Wanted) {
  const byHand = [...view.state.reservations.values()].map((reservation) => ({
    key: `${reservation.resource} ${reservation.holder}`,
    shown: shown(view, reservation, reservation.resource, reservation.mode),
  }));
  const byClaim = [...view.state.index.active.keys()].flatMap((id) => {
    const todo = view.state.todos.get(id) as Todo;
    if (!todo.claim || !hasScope(todo.scope)) return [];
    const names = [...todo.scope.paths.map((glob) => `path:${glob}`), ...todo.scope.resources];
    const claim = todo.claim;
    return names.map((name) => ({
      key: `${name} ${id}`,
      shown: { ...shown(view, claim, name, 'exclusive'), todo: id },
    }));
  });
  const list = [...byHand, ...byClaim]
    .filter((one) => wanted.resources === undefined || wanted.resources.includes(one.shown.resource))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  const page = paged(
    list,
    (one) => one.key,
    (one) => one.shown,
    { ...wanted, bytes: answerBytes.usual },
  );
  const { items, ...counts } = page;
  return { reservations: items, ...counts };
}

function shown(
  view: View,
  lease: Pick<Reservation, 'holder' | 'session' | 'ttlS' | 'renewedAt' | 'token'>,
  resource: string,
  mode: string,
) {
  return {
    resource,
    mode,
    holder: lease.holder,
    token: lease.token,
    ttlS: lease.ttlS,
    expiresAt: wallIso(view.state, expiresAt(view, lease)),
    standing: standingOf(view, lease),
  };
}
