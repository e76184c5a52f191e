import picomatch from 'picomatch';
import { standingGates } from './kernel/gate-hold.ts';
import type { Gate, Goal, Todo } from './kernel/model.ts';
import type { State } from './kernel/state.ts';

/** What a host's own tool is about to do, as its hook read it from the call. */
export interface Deed {
  /** Files that a tool writes: relative to the workspace, or absolute where they lie outside it. */
  readonly writes?: readonly string[] | undefined;
  /** Files that a shell command is seen to write. Walls hold for them, scopes do not. */
  readonly touches?: readonly string[] | undefined;
  /** The simple commands of a shell line, each with its words joined by one space. */
  readonly commands?: readonly string[] | undefined;
}

/** Whether the deed may go on; if not, what is in its way. */
export type Permit =
  | { readonly permitted: true }
  | { readonly permitted: false; readonly by: 'state'; readonly what: string }
  | { readonly permitted: false; readonly by: 'deny-path'; readonly what: string; readonly rule: string; goal: string }
  | { readonly permitted: false; readonly by: 'gate'; readonly what: string; readonly rule: string; gate: Gate }
  | { readonly permitted: false; readonly by: 'scope'; readonly what: string; readonly todos: readonly Todo[] };

/**
 * Decides over a deed outside the control plane. Walls come first and hold for everybody: the state folder, the goals'
 * denyPaths, and what an open gate, or a denial the owner has not lifted, protects. Then the scopes of the todos that
 * the session's agents hold; without a claim, or where neither todo nor goal names paths, no scope is enforced.
 */
export function permit(state: State, agents: readonly string[], deed: Deed): Permit {
  const live = [...state.goals.values()].filter((goal) => goal.status === 'active' || goal.status === 'paused');
  const writes = deed.writes ?? [];
  for (const what of writes) {
    const wall = wallBefore(state, live, what, (glob) => coversPath(glob, what));
    if (wall) return wall;
  }
  for (const what of deed.touches ?? []) {
    const wall = wallBefore(state, live, what, (glob) => coversPath(glob, what) || liesIn(glob, what));
    if (wall) return wall;
  }
  for (const what of deed.commands ?? []) {
    const wall = commandWall(state, live, what);
    if (wall) return wall;
  }
  return withinScopes(state, agents, writes);
}

/** The todos that these agents hold, claimed and not yet taken by anybody else. */
export function heldBy(state: State, agents: readonly string[]): readonly Todo[] {
  return [...state.index.active.keys()]
    .flatMap((id) => state.todos.get(id) ?? [])
    .filter((todo) => todo.claim !== undefined && agents.includes(todo.claim.holder));
}

function wallBefore(
  state: State,
  goals: readonly Goal[],
  what: string,
  isMeant: (glob: string) => boolean,
): Permit | undefined {
  if (isMeant('.loopx')) return { permitted: false, by: 'state', what };
  for (const { goal, scope } of goals) {
    const rule = scope.denyPaths.find(isMeant);
    if (rule !== undefined) return { permitted: false, by: 'deny-path', what, rule, goal };
  }
  return gateWall(state, goals, what, (gate) => gate.protects.paths.find(isMeant));
}

function commandWall(state: State, goals: readonly Goal[], what: string): Permit | undefined {
  return gateWall(state, goals, what, (gate) => gate.protects.commands.find((rule) => coversCommand(rule, what)));
}

function gateWall(
  state: State,
  goals: readonly Goal[],
  what: string,
  ruleOf: (gate: Gate) => string | undefined,
): Permit | undefined {
  for (const gate of goals.flatMap(({ goal }) => standingGates(state, goal))) {
    const rule = ruleOf(gate);
    if (rule !== undefined) return { permitted: false, by: 'gate', what, rule, gate };
  }
  return undefined;
}

function withinScopes(state: State, agents: readonly string[], writes: readonly string[]): Permit {
  const todos = heldBy(state, agents);
  const scopes = todos.map((todo) =>
    todo.scope.paths.length > 0 ? todo.scope.paths : (state.goals.get(todo.goal)?.scope.paths ?? []),
  );
  if (scopes.length === 0 || scopes.some((paths) => paths.length === 0)) return { permitted: true };
  const stray = writes.find((what) => !scopes.flat().some((glob) => coversPath(glob, what)));
  return stray === undefined ? { permitted: true } : { permitted: false, by: 'scope', what: stray, todos };
}

const wild = /[*?[\]{}()!]/;
const isCaseBlind = process.platform === 'darwin' || process.platform === 'win32';

/** Whether the glob means the path; a glob without wildcards means that file or everything in that folder. */
function coversPath(glob: string, path: string): boolean {
  const [left, right] = isCaseBlind ? [glob.toLowerCase(), path.toLowerCase()] : [glob, path];
  if (right === left || right.startsWith(`${left}/`)) return true;
  if (!wild.test(left.slice(left.lastIndexOf('/') + 1)) && picomatch.isMatch(right, `${left}/**`, { dot: true }))
    return true;
  return picomatch.isMatch(right, left, { dot: true });
}

/** Whether what the glob means may lie in that folder ('' is the workspace): who removes the folder removes that too. */
function liesIn(glob: string, folder: string): boolean {
  const plain = glob.split('/').findIndex((segment) => wild.test(segment));
  const base = plain < 0 ? glob : glob.split('/').slice(0, plain).join('/');
  return folder === '' || base.startsWith(`${folder}/`) || (plain > 0 && base === folder);
}

/** Whether the rule means the command: `npm publish` means that with any further words, `*` any text. */
function coversCommand(rule: string, command: string): boolean {
  const [first = '', ...rest] = rule.trim().replace(/\s+/g, ' ').split(/\*+/);
  if (first === '' && rest.every((part) => part === '')) return rest.length > 0;
  if (!command.startsWith(first)) return false;
  const last = rest.pop();
  let at = first.length;
  for (const part of rest) {
    const found = command.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  if (last === undefined) return endsWord(command, at);
  if (last === '') return true;
  for (let found = command.indexOf(last, at); found >= 0; found = command.indexOf(last, found + 1)) {
    if (endsWord(command, found + last.length)) return true;
  }
  return false;
}

function endsWord(command: string, at: number): boolean {
  return at === command.length || command[at] === ' ';
}
