import type { Reserve } from './commands.ts';
import { reservationKey } from './evolve-agent.ts';
import { endLapsed } from './lapsed.ts';
import { limits } from './limits.ts';
import { badArgument, call, type Refused, refuse } from './refusal.ts';
import { obstacleTo, pathOf, refuseReserved, scopeOfResources } from './reserved.ts';
import { normalizeGlob, normalizeResource } from './scope.ts';
import type { Result } from './state.ts';
import type { Work } from './work.ts';

/** reserve: holds named things by a lease, all of them or none; or gives them back. */
export function reserveResources(work: Work, act: Reserve): Result | Refused {
  const resources: string[] = [];
  for (const [at, text] of act.resources.entries()) {
    const name = normalName(text);
    if (name === undefined) {
      return badArgument(
        `resources[${at}]`,
        `"${text}" names no resource; give e.g. "path:src/**", "port:8080" or "deploy:prod".`,
      );
    }
    resources.push(name);
  }
  if (resources.length === 0) return badArgument('resources', 'resources lists what to hold, e.g. ["port:8080"].');
  return act.release ? release(work, resources) : hold(work, resources, act);
}

function normalName(text: string): string | undefined {
  const name = text.trim();
  if (!/^[a-z][\w-]*:./i.test(name)) return undefined;
  const path = pathOf(name);
  if (path === undefined) return normalizeResource(name);
  const normal = normalizeGlob(path);
  return 'glob' in normal ? `path:${normal.glob}` : undefined;
}

function hold(work: Work, resources: readonly string[], act: Reserve): Result | Refused {
  const mode = act.mode ?? 'exclusive';
  const obstacle = obstacleTo(work, scopeOfResources(resources), mode);
  if (obstacle) return refuseReserved(work, obstacle);
  endLapsed(work, scopeOfResources(resources), mode);
  for (const resource of resources) {
    const key = reservationKey(resource, work.agent);
    const own = work.state.reservations.get(key);
    const ttlS = act.ttlS ?? own?.ttlS ?? limits.ttlSDefault;
    const lease = { resource, agent: work.agent, session: act.witness ?? work.session, ttlS };
    if (own && own.mode === mode) work.emit({ type: 'reservation.renewed', ...lease });
    else
      work.emit({
        type: 'reservation.granted',
        ...lease,
        mode,
        ...(act.witness !== undefined && { hasWitness: true }),
        ...(act.goal !== undefined && { goal: act.goal }),
      });
  }
  return { resources };
}

function release(work: Work, resources: readonly string[]): Result | Refused {
  const own = resources.filter((resource) => work.state.reservations.has(reservationKey(resource, work.agent)));
  const stranger = resources.find((resource) => !own.includes(resource));
  if (stranger !== undefined) {
    return refuse(
      'not-found',
      `You hold no reservation of ${stranger}.`,
      { field: 'resources', id: stranger },
      call('goal_status', { view: 'reservations' }, 'what is held by whom'),
    );
  }
  for (const resource of own) work.emit({ type: 'reservation.released', resource, agent: work.agent, why: 'released' });
  return { resources: own };
}
