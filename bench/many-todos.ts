import type { ControlPlane } from '../src/state/control-plane.ts';
import { openMemoryLog } from '../src/state/log/memory-log.ts';
import { type Figure, type Side, timed } from './compare.ts';
import { caller, good, Workspace } from './workspace.ts';

/** A control plane with so many open todos. Its log is in memory, so that the disk does not hide what they cost. */
async function planeWith(todos: number): Promise<ControlPlane> {
  const plane = await new Workspace().open('ann', openMemoryLog());
  good(await plane.execute({ type: 'goal.start', goal: 'bench', objective: 'measure' }, caller));
  for (let at = 0; at < todos; at += 50) {
    const specs = Array.from({ length: 50 }, (_, n) => ({ title: `todo ${at + n}`, priority: `P${n % 4}` as 'P0' }));
    good(await plane.execute({ type: 'todo.add', todos: specs }, caller));
  }
  return plane;
}

async function ask(plane: ControlPlane): Promise<void> {
  good(await plane.query({ type: 'quota.should-run' }, caller));
}

/** The time of a claim alone; that of giving the todo back is not measured. */
async function claim(plane: ControlPlane): Promise<number> {
  let todo = '';
  const ms = await timed(async () => {
    const claimed = good(await plane.execute({ type: 'todo.claim' }, caller));
    todo = (claimed.todo as { readonly todo: string }).todo;
  });
  good(await plane.execute({ type: 'todo.update', todo, state: 'open' }, caller));
  return ms;
}

export async function manyTodos(): Promise<readonly Figure[]> {
  const [few, many] = [100, 10_000] as const;
  const [planeOfFew, planeOfMany] = [await planeWith(few), await planeWith(many)];
  const pair = (name: string, measure: (plane: ControlPlane) => Promise<number>): Figure => {
    const side = (plane: ControlPlane, count: number): Side => ({
      name: `at ${count.toLocaleString('en')} todos`,
      measure: () => measure(plane),
    });
    const [ours, beside] = [side(planeOfMany, many), side(planeOfFew, few)];
    return { name, unit: 'ms', ours, beside, rounds: 500, warmUps: 100, aim: { atMost: 1.5 } };
  };
  return [pair('quota_should_run', (plane) => timed(() => ask(plane))), pair('todo_claim', claim)];
}
