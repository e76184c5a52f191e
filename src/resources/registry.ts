import type { Resource, ResourceVariables } from './define-resource.ts';
import { goalResources } from './goal-resources.ts';
import { itemResources } from './item-resources.ts';
import { matchUri } from './uri-match.ts';
import { workspaceResources } from './workspace-resources.ts';

export const resources: readonly Resource[] = [...goalResources, ...itemResources, ...workspaceResources];

export function isTemplate({ uri }: Resource): boolean {
  return uri.includes('{');
}

/** The resource that a URI names, with its variables. */
export function resourceAt(uri: string): { resource: Resource; variables: ResourceVariables } | undefined {
  for (const resource of resources) {
    const variables = matchUri(resource.uri, uri);
    if (variables !== undefined) return { resource, variables };
  }
  return undefined;
}
