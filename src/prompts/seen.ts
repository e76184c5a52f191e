import type { Caller } from '../state/answer.ts';
import type { ControlPlane } from '../state/control-plane.ts';

/** The parts of answers that prompts show. Answers are free to hold more. */
export interface SeenGate {
  readonly gate: string;
  readonly goal: string;
  readonly kind?: string;
  readonly state: string;
  readonly question: string;
  readonly options: readonly {
    readonly key: string;
    readonly label: string;
    readonly effect: string;
    readonly consequence?: string;
  }[];
  readonly blocks?: { readonly todos: readonly string[] };
  readonly changes?: readonly string[];
  readonly context?: string;
  readonly recommend?: string;
  readonly askedBy?: string;
  readonly revision?: number;
  readonly subjectDigest?: string;
  readonly answer?: { readonly option: string; readonly words?: string };
}

export interface SeenGoal {
  readonly goal: string;
  readonly title: string;
  readonly objective: string;
  readonly objectiveVersion: number;
  readonly status: string;
  readonly acceptance: readonly { readonly id: string; readonly text: string; readonly state?: string }[];
  readonly nonGoals?: readonly string[];
  readonly scope?: { readonly [part: string]: readonly string[] };
  readonly quota?: { readonly [part: string]: number };
}

export async function seeGate(plane: ControlPlane, caller: Caller, gate: string): Promise<SeenGate | undefined> {
  const answer = await plane.query({ type: 'goal.status', view: 'gates', id: gate }, caller);
  return answer.ok ? (answer.gate as SeenGate | undefined) : undefined;
}

/** All goals of the workspace, the active ones first. */
export async function seeGoals(plane: ControlPlane, caller: Caller): Promise<readonly SeenGoal[]> {
  const answer = await plane.query({ type: 'goals' }, caller);
  const goals = answer.ok && Array.isArray(answer.goals) ? (answer.goals as SeenGoal[]) : [];
  return [...goals].sort((a, b) => Number(b.status === 'active') - Number(a.status === 'active'));
}

/** The open gates of every goal that goes on. */
export async function seeOpenGates(plane: ControlPlane, caller: Caller): Promise<readonly SeenGate[]> {
  const goals = (await seeGoals(plane, caller)).filter(({ status }) => status === 'active' || status === 'paused');
  const pages = await Promise.all(
    goals.map(({ goal }) => plane.query({ type: 'goal.status', goal, view: 'gates', state: 'open' }, caller)),
  );
  return pages.flatMap((page) => (page.ok && Array.isArray(page.gates) ? (page.gates as SeenGate[]) : []));
}
