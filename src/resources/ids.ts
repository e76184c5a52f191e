import type { Caller } from '../state/answer.ts';
import type { ControlPlane } from '../state/control-plane.ts';

const pagesMax = 20;

/** The slugs of all goals. */
export async function goalIds(plane: ControlPlane, caller: Caller): Promise<readonly string[]> {
  const answer = await plane.query({ type: 'goals' }, caller);
  return answer.ok ? (answer.goals as { goal: string }[]).map(({ goal }) => goal) : [];
}

/** The ids of todos, gates or evidence of all goals, as far as a completion can be of use. */
export async function itemIds(
  view: 'todos' | 'gates' | 'evidence',
  key: 'todo' | 'gate' | 'evidence',
  plane: ControlPlane,
  caller: Caller,
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const goal of await goalIds(plane, caller)) {
    let cursor: string | undefined;
    for (let page = 0; page < pagesMax; page++) {
      const answer = await plane.query({ type: 'goal.status', goal, view, cursor }, caller);
      if (!answer.ok) break;
      ids.push(...(answer[view] as { [name: string]: string }[]).map((item) => item[key] as string));
      cursor = answer.nextCursor as string | undefined;
      if (cursor === undefined) break;
    }
  }
  return ids;
}
