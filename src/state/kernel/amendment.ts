import { checkQuota, defined, quotaFields } from './goal.ts';
import type { Amendment, Goal } from './model.ts';
import { badArgument, type Refused } from './refusal.ts';
import { checkScope } from './todo-spec.ts';

const amendable = ['title', 'objective', 'addAcceptance', 'dropAcceptance', 'nonGoals', 'scope', 'quota'] as const;

/** Only these fields of a goal are ever amended, whatever else the input holds. */
function knownOf<T extends object, K extends keyof T>(input: T, names: readonly K[]): Pick<T, K> {
  return Object.fromEntries(names.map((name) => [name, input[name]])) as Pick<T, K>;
}

/** The amendment in its checked form, if it changes something and could be applied to this goal. */
export function checkAmendment(goal: Goal, input: Amendment, field: string): Amendment | Refused {
  const amendment = defined(knownOf(input, amendable)) as Amendment;
  if (Object.keys(amendment).length === 0) {
    return badArgument(
      field,
      'An amendment changes title, objective, criteria, nonGoals, scope or quota, e.g. {"objective": "Support CSV and TSV"}.',
    );
  }
  if (amendment.objective !== undefined && amendment.objective.trim() === '')
    return badArgument(`${field}.objective`, 'objective cannot be empty.');
  const live = goal.acceptance.filter((criterion) => criterion.dropped === undefined).map((criterion) => criterion.id);
  const unknown = amendment.dropAcceptance?.find((id) => !live.includes(id));
  if (unknown !== undefined) {
    return badArgument(
      `${field}.dropAcceptance`,
      `${unknown} is no criterion of goal ${goal.goal}: ${live.join(', ') || 'it has none'}.`,
    );
  }
  const asked = amendment.quota && defined(knownOf(amendment.quota, quotaFields));
  const quota = asked && checkQuota({ ...goal.quota, ...asked }, `${field}.quota`);
  if (quota && 'refusal' in quota) return quota;
  const checked: Amendment = { ...amendment, ...(asked && { quota: asked }) };
  if (!amendment.scope) return checked;
  const scope = checkScope(amendment.scope, `${field}.scope`);
  if ('refusal' in scope) return scope;
  const deny = checkScope({ paths: amendment.scope.denyPaths ?? [] }, `${field}.scope.denyPaths`);
  if ('refusal' in deny) return deny;
  return {
    ...checked,
    scope: {
      ...(amendment.scope.paths && { paths: scope.paths }),
      ...(amendment.scope.resources && { resources: scope.resources }),
      ...(amendment.scope.denyPaths && { denyPaths: deny.paths }),
    },
  };
}
