import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Answer, Caller } from '../src/state/answer.ts';
import type { ControlPlane } from '../src/state/control-plane.ts';
import type { CommitLog } from '../src/state/log/commit-log.ts';
import { openControlPlane } from '../src/state/open-control-plane.ts';

export const caller: Caller = { host: 'bench', kind: 'mcp' };

/** A folder of its own for one figure; it goes away with it. */
export class Workspace {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'loopx-bench-')));
  readonly stateDir = join(this.root, '.loopx');

  constructor() {
    mkdirSync(this.stateDir, { mode: 0o700 });
  }

  open(agent: string, log?: CommitLog): Promise<ControlPlane> {
    const { root, stateDir } = this;
    return openControlPlane({ root, stateDir, env: { LOOPX_AGENT: agent }, ...(log && { log }) });
  }

  /** How many bytes a commit of this work takes in the log. */
  async bytesOf(work: () => Promise<unknown>): Promise<number> {
    const path = join(this.stateDir, 'log', '000001.jsonl');
    const before = statSync(path).size;
    await work();
    return statSync(path).size - before;
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** The answer, which a benchmark counts on being no refusal. */
export function good(answer: Answer): Answer {
  if (answer.ok) return answer;
  throw new Error(`refused: ${answer.code}: ${answer.message}`);
}

/** Starts a goal with one todo and claims it: what an agent writes about afterwards. Answers the todo. */
export async function beginWork(plane: ControlPlane): Promise<string> {
  const started = await plane.execute({ type: 'goal.start', goal: 'bench', objective: 'measure' }, caller);
  if (!started.ok && started.code !== 'goal-exists') good(started);
  const added = good(await plane.execute({ type: 'todo.add', goal: 'bench', todos: [{ title: 'measured' }] }, caller));
  const todo = (added.todos as readonly { readonly todo: string }[])[0]?.todo as string;
  good(await plane.execute({ type: 'todo.claim', todo }, caller));
  return todo;
}

/** The commit that is measured: a note on a todo that the agent holds. */
export async function note(plane: ControlPlane, todo: string): Promise<Answer> {
  return good(await plane.execute({ type: 'todo.update', todo, note: 'Half of the fixtures are read now.' }, caller));
}
