import type { Event } from './events.ts';
import type { Stamp } from './evolve.ts';
import { changeTurns } from './evolve-goal.ts';
import { news } from './evolve-todo.ts';
import { speakFor } from './index-evidence.ts';
import { putTodo } from './index-todo.ts';
import type { Evidence } from './model.ts';
import type { State } from './state.ts';

/** Folds what concerns evidence. */
export function evolveEvidence(state: State, event: Event, stamp: Stamp): State | undefined {
  switch (event.type) {
    case 'evidence.written':
      return written(
        state,
        { ...event.record, evidence: event.evidence, confirmedBy: [], at: stamp.at, version: stamp.version },
        stamp,
      );
    case 'evidence.confirmed':
      return edit(state, event.evidence, stamp, (evidence) => ({
        ...evidence,
        confirmedBy: [...evidence.confirmedBy, { agent: event.agent, session: event.session }],
      }));
    case 'evidence.accepted':
      return edit(state, event.evidence, stamp, (evidence) => ({ ...evidence, acceptedBy: event.name }));
    default:
      return undefined;
  }
}

function edit(state: State, id: string, stamp: Stamp, change: (evidence: Evidence) => Evidence): State {
  const evidence = state.evidence.get(id);
  if (!evidence) return state;
  return { ...state, evidence: state.evidence.with(id, { ...change(evidence), version: stamp.version }) };
}

function written(state: State, evidence: Evidence, stamp: Stamp): State {
  const { evidence: id, goal, by } = evidence;
  let next: State = {
    ...state,
    evidence: state.evidence.with(id, evidence),
    counts: { ...state.counts, evidence: state.counts.evidence + 1 },
  };
  const todo = evidence.todo === undefined ? undefined : next.todos.get(evidence.todo);
  if (todo) next = putTodo(next, { ...todo, evidence: [...todo.evidence, id], version: stamp.version });
  if (evidence.supersedes !== undefined) {
    next = edit(next, evidence.supersedes, stamp, (old) => ({ ...old, supersededBy: id }));
  }
  const speaking = speakFor(next, evidence);
  const prints = restPrints(evidence).map((print) => `${goal} ${print}`);
  const isNew = prints.some((print) => !state.rests.has(print)) || speaksFirst(next, speaking, goal);
  let rests = speaking.rests;
  for (const print of prints) rests = rests.with(print, true);
  next = news({ ...speaking, rests }, goal, stamp);
  return isNew ? changeTurns(next, goal, by, (turns) => ({ ...turns, stalled: 0, hasProgressed: true })) : next;
}

/** Whether a goal criterion that nothing spoke for has now found its first passing evidence. */
function speaksFirst(before: State, after: State, goal: string): boolean {
  const was = before.index.goals.get(goal)?.speaks ?? {};
  const is = after.index.goals.get(goal)?.speaks ?? {};
  return Object.keys(is).some((criterion) => was[criterion] === undefined);
}

/** What evidence rests on, each as one text, to tell something new from the same thing said again. */
function restPrints(evidence: Evidence): readonly string[] {
  const { command, metrics } = evidence;
  return [
    ...evidence.files.map((file) => `file:${file.path}:${file.sha256}`),
    ...evidence.globs.map((glob) => `glob:${glob.glob}:${glob.sha256}`),
    ...(evidence.commit === undefined ? [] : [`commit:${evidence.commit}`]),
    ...(command === undefined
      ? []
      : [`command:${command.line}:${command.exitCode ?? ''}:${command.outputSha256 ?? ''}`]),
    ...(evidence.url === undefined ? [] : [`url:${evidence.url}`]),
    ...Object.entries(metrics ?? {}).map(([name, value]) => `metric:${name}:${value}`),
  ];
}
