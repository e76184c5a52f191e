import { mustHold } from './claim.ts';
import type { MonitorReport } from './commands.ts';
import { findTodo } from './find.ts';
import type { Goal } from './model.ts';
import { badArgument, type Refused } from './refusal.ts';
import type { Result } from './state.ts';
import { refuseEnded } from './todo.ts';
import type { Work } from './work.ts';

/** Unchanged reports widen the interval up to this many times the monitor's own. */
const widestFactor = 8;

/** monitor_report: what a check saw; it releases the monitor until it is due again. */
export function reportMonitor(work: Work, act: MonitorReport): Result | Refused {
  const todo = findTodo(work.state, act.todo);
  if ('refusal' in todo) return todo;
  if (todo.kind !== 'monitor' || todo.everyS === undefined) {
    return badArgument('todo', `${todo.todo} is no monitor; write back about it with writeback.`);
  }
  const ended = refuseEnded(work.state.goals.get(todo.goal) as Goal);
  if (ended) return ended;
  const held = mustHold(work, todo, act.token);
  if (held) return held;
  const observation = act.observation?.trim() || undefined;
  if (act.changed && observation === undefined) {
    return badArgument('observation', 'A change needs the observation: what is different, e.g. "build 214 fails".');
  }
  const widened = Math.min((todo.intervalS ?? todo.everyS) * 2, todo.everyS * widestFactor);
  const intervalS = act.changed ? todo.everyS : widened;
  const nextDueS = act.nextDueS ?? intervalS;
  work.emit({
    type: 'monitor.reported',
    todo: todo.todo,
    agent: work.agent,
    changed: act.changed,
    ...(observation !== undefined && { observation }),
    intervalS,
    nextDueS,
  });
  return { goal: todo.goal, todo: todo.todo };
}
