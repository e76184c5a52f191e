import type { Answer } from '../state/answer.ts';
import type { Resource } from './define-resource.ts';
import { goalIds } from './ids.ts';

export const workspaceResources: readonly Resource[] = [
  {
    uri: 'loopx://agents',
    name: 'agents',
    title: 'Agents',
    description: 'Who works here, and who is live.',
    mimeType: 'application/json',
    read: async (plane, _variables, caller): Promise<Answer> => {
      // Agents belong to the workspace, the view to a goal: any goal shows them all.
      const [goal] = await goalIds(plane, caller);
      const answer = await plane.query({ type: 'goal.status', goal, view: 'agents' }, caller);
      if (answer.ok || answer.code !== 'no-goal') return answer;
      return { ok: true, version: answer.version, agents: [], shown: 0, total: 0 };
    },
    isTouchedBy: (change) => change.agents.length > 0,
  },
  {
    uri: 'loopx://log{?after}',
    name: 'log',
    title: 'The log',
    description: 'Commits after a version (0), oldest first, in pages.',
    mimeType: 'application/json',
    read: (plane, { after }, caller) => plane.query({ type: 'log.read', after: versionOf(after) }, caller),
    isTouchedBy: () => true,
  },
];

function versionOf(text: string | undefined): number {
  const version = Number(text ?? 0);
  return Number.isSafeInteger(version) && version >= 0 ? version : 0;
}
