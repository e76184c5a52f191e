import { checkQuota, defined } from './goal.ts';
import type { Amendment, Goal } from './model.ts';
import { badArgument, type Refused } from './refusal.ts';
import { checkScope } from './todo-spec.ts';

/** The amendment in its checked form, if it changes something and could be applied to this goal. */
export function checkAmendment(goal: Goal, input: Amendment, field: string): Amendment | Refused {
  const amendment = defined(input) as Amendment;
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
  const quota = amendment.quota && checkQuota({ ...goal.quota, ...defined(amendment.quota) }, `${field}.quota`);
  if (quota && 'refusal' in quota) return quota;
  if (!amendment.scope) return amendment;
  const scope = checkScope(amendment.scope, `${field}.scope`);
  if ('refusal' in scope) return scope;
  const deny = checkScope({ paths: amendment.scope.denyPaths ?? [] }, `${field}.scope.denyPaths`);
  if ('refusal' in deny) return deny;
  return {
    ...amendment,
    scope: {
      ...(amendment.scope.paths && { paths: scope.paths }),
      ...(amendment.scope.resources && { resources: scope.resources }),
      ...(amendment.scope.denyPaths && { denyPaths: deny.paths }),
    },
  };
}
