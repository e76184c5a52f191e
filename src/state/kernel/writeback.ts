import { mustHold } from './claim.ts';
import type { Writeback } from './commands.ts';
import { addEvidence } from './evidence.ts';
import { turnsOf } from './evolve-goal.ts';
import { findGoal, findTodo } from './find.ts';
import { offer } from './handoff.ts';
import type { Goal, Todo } from './model.ts';
import { type Cost, pay } from './quota.ts';
import { badArgument, call, type Refused, refuse } from './refusal.ts';
import { goalIndex, type Result } from './state.ts';
import { moveTodo } from './todo.ts';
import { addTodos } from './todo-spec.ts';
import type { Work } from './work.ts';

/** writeback: closes a turn in one commit. Evidence, the todo's state, successors, handoff and spend land together or not at all. */
export function writeBack(work: Work, act: Writeback): Result | Refused {
  const todo = act.todo === undefined ? undefined : findTodo(work.state, act.todo);
  if (todo && 'refusal' in todo) return todo;
  const goal = findGoal(work.state, todo?.goal ?? act.goal);
  if ('refusal' in goal) return goal;
  const wrong = checkShape(work, goal, todo, act);
  if (wrong) return wrong;
  const evidence = addAll(work, goal, todo, act);
  if ('refusal' in evidence) return evidence;
  const successors = act.successors && addTodos(work, goal, act.successors, 'successors');
  if (successors && 'refusal' in successors) return successors;
  const moved = todo && moveOn(work, todo, act);
  if (moved && 'refusal' in moved) return moved;
  work.emit({
    type: 'turn.written-back',
    goal: goal.goal,
    ...(todo && { todo: todo.todo }),
    agent: work.agent,
    outcome: act.outcome,
    summary: act.summary,
    ...(act.nextAction !== undefined && { nextAction: act.nextAction }),
    isProgress: turnsOf(work.state, goal.goal, work.agent).hasProgressed || isNewlyMet(work, goal),
  });
  const spent = act.spend && payFor(work, goal, act);
  if (spent && 'refusal' in spent) return spent;
  return {
    goal: goal.goal,
    ...(todo && { todo: todo.todo }),
    evidence: evidence.ids,
    ...(successors && { successors }),
    ...(moved?.handoff !== undefined && { handoff: moved.handoff }),
    ...(spent && { spent }),
  };
}

const withoutTodo: readonly string[] = ['gap', 'quiet', 'replan'];

function checkShape(work: Work, goal: Goal, todo: Todo | undefined, act: Writeback): Refused | undefined {
  if (goal.status === 'done' || goal.status === 'stopped') {
    return refuse(
      `goal-${goal.status}`,
      `Goal ${goal.goal} is ${goal.status}; nothing is written back to it.`,
      { goal: goal.goal },
      call('goal_status', { goal: goal.goal }, 'how it ended'),
    );
  }
  if (act.summary.trim() === '')
    return badArgument('summary', 'summary says what the turn did, e.g. "Lexer done, parser next".');
  if (!todo) {
    if (!withoutTodo.includes(act.outcome)) {
      return badArgument(
        'todo',
        `outcome ${act.outcome} is about a todo: name it, e.g. todo: "T1"; gap, quiet and replan can do without.`,
      );
    }
    const stray = (['todoState', 'handoff', 'token'] as const).find((name) => act[name] !== undefined);
    if (stray !== undefined) return badArgument(stray, `${stray} is about a todo: name it, e.g. todo: "T1".`);
  } else {
    const held = mustHold(work, todo, act.token);
    if (held) return held;
  }
  if (act.resumeWhen !== undefined && act.todoState !== 'blocked' && act.todoState !== 'deferred') {
    return badArgument('resumeWhen', 'resumeWhen goes with a todoState that waits: "blocked" or "deferred".');
  }
  if (act.todoState !== undefined && act.handoff !== undefined) {
    return badArgument('handoff', 'A handoff releases the todo by itself; leave todoState out.');
  }
  return act.outcome === 'replan' ? checkReplan(work, goal, act) : undefined;
}

/** A replan that plans nothing new would only reset the count of turns without progress. */
function checkReplan(work: Work, goal: Goal, act: Writeback): Refused | undefined {
  const hasBlocker = act.evidence?.some((one) => one.kind === 'blocker') ?? false;
  const hasTodos = (act.successors?.length ?? 0) > 0 || turnsOf(work.state, goal.goal, work.agent).hasReplanned;
  if (hasBlocker || hasTodos || (act.todoState !== undefined && act.todoState !== 'open')) return undefined;
  return badArgument(
    'successors',
    'A replan brings new or changed todos, or evidence of kind "blocker", e.g. successors: [{"title": "Try the other parser"}].',
  );
}

function addAll(
  work: Work,
  goal: Goal,
  todo: Todo | undefined,
  act: Writeback,
): { readonly ids: readonly string[] } | Refused {
  const ids: string[] = [];
  for (const [at, input] of (act.evidence ?? []).entries()) {
    const id = addEvidence(work, goal, input.confirms === undefined ? todo : undefined, input, at, `evidence[${at}]`);
    if (typeof id !== 'string') return id;
    ids.push(id);
  }
  return { ids };
}

/** Leaves the todo as the turn found it should be; a claim that goes on is settled by this writeback. */
function moveOn(work: Work, todo: Todo, act: Writeback): { readonly handoff?: string } | Refused {
  if (act.handoff) {
    const handoff = offer(work, todo, act.handoff, 'handoff');
    return typeof handoff === 'string' ? { handoff } : handoff;
  }
  const { reason = act.summary, resumeWhen, token } = act;
  const refused = act.todoState && moveTodo(work, todo.todo, act.todoState, { reason, resumeWhen, token });
  if (refused) return refused;
  if (act.todoState === undefined) work.emit({ type: 'claim.settled', todo: todo.todo, session: work.session });
  return {};
}

/** Whether this commit gave a goal criterion its first passing evidence. */
function isNewlyMet(work: Work, goal: Goal): boolean {
  const was = goalIndex(work.before, goal.goal).speaks;
  const is = goalIndex(work.state, goal.goal).speaks;
  return Object.keys(is).some((criterion) => was[criterion] === undefined);
}

function payFor(work: Work, goal: Goal, act: Writeback): Cost | Refused {
  if (act.outcome === 'quiet') return badArgument('spend', 'A quiet turn costs nothing; leave spend out.');
  return pay(work, goal, act.spend ?? {}, 'spend', { todo: act.todo });
}
