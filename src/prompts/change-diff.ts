import type { Amendment } from '../state/kernel/model.ts';
import type { SeenGoal } from './seen.ts';

/** The part of a change that the goal does not have yet, so that the same words twice change it once. */
export function notYetIn(goal: SeenGoal, change: Amendment): Amendment {
  const texts = new Set(goal.acceptance.map(({ text }) => text));
  const droppable = new Set(goal.acceptance.filter(({ state }) => state !== 'dropped').map(({ id }) => id));
  const isNew = (old: unknown, next: unknown) => next !== undefined && JSON.stringify(old) !== JSON.stringify(next);
  const left = {
    title: isNew(goal.title, change.title) ? change.title : undefined,
    objective: isNew(goal.objective, change.objective) ? change.objective : undefined,
    addAcceptance: change.addAcceptance?.filter((text) => !texts.has(text)),
    dropAcceptance: change.dropAcceptance?.filter((id) => droppable.has(id)),
    nonGoals: isNew(goal.nonGoals, change.nonGoals) ? change.nonGoals : undefined,
    scope: newParts(goal.scope, change.scope),
    quota: newParts(goal.quota, change.quota),
  };
  return Object.fromEntries(Object.entries(left).filter(([, part]) => !isEmpty(part))) as Amendment;
}

function newParts<Parts extends object>(old: object | undefined, next: Parts | undefined): Partial<Parts> | undefined {
  if (next === undefined) return undefined;
  const before = (old ?? {}) as Record<string, unknown>;
  const changed = Object.entries(next).filter(([name, part]) => JSON.stringify(before[name]) !== JSON.stringify(part));
  return Object.fromEntries(changed) as Partial<Parts>;
}

function isEmpty(part: unknown): boolean {
  return part === undefined || (typeof part === 'object' && part !== null && Object.keys(part).length === 0);
}

/** The change as the owner sees it, one line each: what is there now, and what would be. */
export function changeLines(goal: SeenGoal, change: Amendment): readonly string[] {
  const lines: string[] = [];
  const shift = (name: string, old: unknown, next: unknown) => lines.push(`${name}: ${shown(old)} → ${shown(next)}`);
  if (change.title !== undefined) shift('title', goal.title, change.title);
  if (change.objective !== undefined) shift('objective', goal.objective, change.objective);
  for (const text of change.addAcceptance ?? []) lines.push(`new criterion: ${text}`);
  for (const id of change.dropAcceptance ?? []) {
    lines.push(`drop criterion ${id}: ${goal.acceptance.find((criterion) => criterion.id === id)?.text ?? ''}`);
  }
  if (change.nonGoals !== undefined) shift('non-goals', goal.nonGoals, change.nonGoals);
  for (const [part, next] of Object.entries(change.scope ?? {})) shift(`scope ${part}`, goal.scope?.[part], next);
  for (const [part, next] of Object.entries(change.quota ?? {})) shift(`quota ${part}`, goal.quota?.[part], next);
  return lines;
}

function shown(value: unknown): string {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return 'none';
  return Array.isArray(value) ? value.join(', ') : String(value);
}
