import { logTimeOf } from './clock.ts';
import { criteriaOf, openCriteria } from './freshness.ts';
import { openGate, tellHolders } from './gate.ts';
import { openGates, standingGates } from './gate-hold.ts';
import { completionContext, subjectText } from './gate-subject.ts';
import type { Gate, Goal, ResumeWhen, Todo } from './model.ts';
import { goalIndex } from './state.ts';
import type { Work } from './work.ts';

/** What follows by itself from what was just decided, in the same commit, for each goal that it touched. */
export function drawConsequences(work: Work): void {
  wakeSleepers(work);
  const touched = [...work.state.goals.values()].filter((goal) => goal.version === work.stamp.version);
  for (const goal of touched) {
    reopenChanged(work, goal.goal);
    supersedeMoot(work, goal.goal);
    openCompletion(work, goal.goal);
  }
}

/**
 * Blocked and deferred todos open by themselves when what they wait for has come, be it in another goal; never what
 * the owner denied.
 */
function wakeSleepers(work: Work): void {
  const live = [...work.state.goals.values()].filter((goal) => goal.status === 'active' || goal.status === 'paused');
  const asleep = live.flatMap(({ goal }) => [...goalIndex(work.state, goal).asleep.keys()]);
  for (const id of asleep) {
    const todo = work.state.todos.get(id) as Todo;
    if (todo.deniedBy !== undefined || todo.resumeWhen === undefined) continue;
    if (hasCome(work, todo.resumeWhen)) work.emit({ type: 'todo.opened', todo: id, why: 'resumed' });
  }
}

function hasCome(work: Work, when: ResumeWhen): boolean {
  if ('todoDone' in when) return work.state.todos.get(when.todoDone)?.state === 'done';
  if ('gateAnswered' in when) {
    const gate = work.state.gates.get(when.gateAnswered);
    return gate !== undefined && gate.state !== 'open';
  }
  return 'at' in when && (logTimeOf(work.state, when.at) ?? Number.POSITIVE_INFINITY) <= work.at;
}

/** An approval holds for exactly what was approved: if that changed, the question is open again. */
function reopenChanged(work: Work, goal: string): void {
  for (const id of goalIndex(work.state, goal).approvals) {
    const gate = work.state.gates.get(id) as Gate;
    const subjectDigest = work.crypto.digest(subjectText(work.state, gate));
    if (subjectDigest === gate.subjectDigest) continue;
    work.emit({ type: 'gate.reopened', gate: id, subjectDigest, why: 'what was approved has changed since' });
    tellHolders(work, work.state.gates.get(id) as Gate);
  }
}

/** A gate whose matter is gone is closed by the kernel: its goal ended, or its completion is no longer at hand. */
function supersedeMoot(work: Work, name: string): void {
  const goal = work.state.goals.get(name) as Goal;
  const hasEnded = goal.status === 'done' || goal.status === 'stopped';
  for (const gate of openGates(work.state, name)) {
    const isMoot = hasEnded || (gate.kind === 'completion' && !isComplete(work, goal));
    if (!isMoot) continue;
    const why = hasEnded ? `goal ${name} is ${goal.status}` : 'something is open again';
    work.emit({ type: 'gate.superseded', gate: gate.gate, why });
  }
}

/** The kernel's own gate: is the goal done? After a no it asks again only when something new is in. */
function openCompletion(work: Work, name: string): void {
  const goal = work.state.goals.get(name) as Goal;
  if (goal.status !== 'active' || standingGates(work.state, name).some((gate) => gate.kind === 'completion')) return;
  if (goal.completionDenied && goal.completionDenied.version >= goal.newsVersion) return;
  if (!isComplete(work, goal)) return;
  openGate(
    work,
    {
      kind: 'completion',
      goal: name,
      blocks: { todos: [], goal: false },
      protects: { paths: [], resources: [], commands: [] },
    },
    {
      question: `Is goal ${name} done?`,
      options: [
        { key: 'yes', label: 'Yes, it is done', effect: 'approve' },
        { key: 'no', label: 'No, something is missing', effect: 'deny' },
      ],
      context: completionContext(work, name),
      evidence: criteriaOf(work, name).flatMap((criterion) => criterion.evidence?.evidence ?? []),
    },
    'loopx',
  );
}

/** Every criterion met by fresh evidence or dropped; without criteria, something is done and nothing is left open. */
function isComplete(work: Work, goal: Goal): boolean {
  if (goal.acceptance.some((criterion) => criterion.dropped === undefined)) {
    return openCriteria(work, goal.goal).length === 0;
  }
  const { done, open, active, blocked, deferred } = goalIndex(work.state, goal.goal).states;
  return done > 0 && open + active + blocked + deferred === 0;
}
