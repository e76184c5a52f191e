import type { Change } from '../state/answer.ts';
import type { Resource } from './define-resource.ts';
import { itemIds } from './ids.ts';

function item(
  key: 'todo' | 'gate' | 'evidence',
  view: 'todos' | 'gates' | 'evidence',
  title: string,
  isTouchedBy: (change: Change, id: string) => boolean,
): Resource {
  const idOf = (variables: { readonly [name: string]: string }) => (variables[key] ?? '').trim().toUpperCase();
  return {
    uri: `loopx://${view}/{${key}}`,
    name: key,
    title,
    description: `${title}, whole.`,
    mimeType: 'application/json',
    read: (plane, variables, caller) => plane.query({ type: 'goal.status', view, id: idOf(variables) }, caller),
    isTouchedBy: (change, variables) => isTouchedBy(change, idOf(variables)),
    complete: (plane, caller) => itemIds(view, key, plane, caller),
  };
}

export const itemResources: readonly Resource[] = [
  // A todo shows what blocks it and what speaks for it, so other todos, gates and evidence matter to it.
  item('todo', 'todos', 'A todo', ({ todos, gates, evidence }) => todos.length + gates.length + evidence.length > 0),
  item('gate', 'gates', 'A gate', (change, id) => change.gates.includes(id)),
  item('evidence', 'evidence', 'A piece of evidence', (change, id) => change.evidence.includes(id)),
];
