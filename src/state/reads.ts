import { goalNamed } from './act-facts.ts';
import type { Answer, Change, GoalStatusQuery, Query } from './answer.ts';
import type { Actor } from './kernel/commands.ts';
import { decideTurn, type TurnDecision } from './kernel/decision.ts';
import { findById, findGoal, slugOf } from './kernel/find.ts';
import type { Goal } from './kernel/model.ts';
import type { Refusal } from './kernel/refusal.ts';
import type { Result, State } from './kernel/state.ts';
import type { View } from './kernel/view.ts';
import { whoAsks } from './kernel/who.ts';
import { storeRefusal } from './live-control-plane.ts';
import { type Commit, type CommitLog, StoreError } from './log/commit-log.ts';
import { permitAnswer, sessionAnswer } from './session-answers.ts';
import type { Told } from './told.ts';
import { boardOf } from './views/board.ts';
import { goalView } from './views/goal-view.ts';
import { historyView } from './views/history-view.ts';
import { decisionView } from './views/quota-view.ts';
import { reviewPacket } from './views/review-packet.ts';
import { answerBytes, cutAll, fitted, paged } from './views/shape.ts';
import { sharedView, statusView } from './views/status-view.ts';
import type { Focus } from './world.ts';

/** What the reads need of the control plane. */
export interface Reads {
  readonly log: CommitLog;
  readonly told: Told;
  readonly root: string;
  /** The folder whose files evidence rests on. */
  readonly worktree: string;
  catchUp(): Promise<State>;
  viewOf(actor: Actor, focus: Focus): Promise<View>;
  touch(actor: Actor, agent: string): void;
  claim(
    actor: Actor,
    goal: string | undefined,
    capabilities: readonly string[] | undefined,
  ): Promise<{ readonly view: View; readonly result: Result } | { readonly view: View; readonly refusal: Refusal }>;
  onChange(listener: (change: Change) => void): () => void;
  ok(view: View, fields: object): Answer;
  refused(view: View, refusal: Refusal): Answer;
}

type ShouldRun = Extract<Query, { type: 'quota.should-run' }>;

export async function read(reads: Reads, query: Query, actor: Actor, signal: AbortSignal | undefined): Promise<Answer> {
  try {
    const state = await reads.catchUp();
    const who = actor.kind === 'agent' ? whoAsks(state, actor) : undefined;
    if (who && 'refusal' in who) {
      // Only who acts must be told apart; what the log says is the same for everybody.
      if (query.type === 'quota.should-run') return reads.refused(await reads.viewOf(actor, {}), who.refusal);
    } else if (who) reads.touch(actor, who.agent);
    return await answer(reads, state, query, actor, signal);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    const view = await reads.viewOf(actor, {});
    return query.type === 'quota.should-run' ? unhealthy(reads, view, error) : reads.refused(view, storeRefusal(error));
  }
}

async function answer(
  reads: Reads,
  state: State,
  query: Query,
  actor: Actor,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  switch (query.type) {
    case 'quota.should-run':
      return shouldRun(reads, query, actor, signal);
    case 'goal.status':
      return goalStatus(reads, state, query, actor);
    case 'review.packet': {
      const view = await reads.viewOf(actor, reviewFocus(state, query));
      const packet = reviewPacket(view, query);
      return 'refusal' in packet ? reads.refused(view, packet.refusal) : reads.ok(view, packet);
    }
    case 'board': {
      const view = await reads.viewOf(actor, {});
      const goal = findGoal(view.state, query.goal);
      return 'refusal' in goal
        ? reads.refused(view, goal.refusal)
        : reads.ok(view, { goal: goal.goal, board: boardOf(view, goal) });
    }
    case 'goals': {
      const view = await reads.viewOf(actor, { goals: [...state.goals.keys()] });
      const goals = [...view.state.goals.values()].sort((a, b) => (a.goal < b.goal ? -1 : 1));
      const page = paged(
        goals,
        (goal) => goal.goal,
        (goal) => cutAll(goalView(view, goal), 200, 20),
        { bytes: answerBytes.usual },
      );
      const { items, ...counts } = page;
      return reads.ok(view, { goals: items, ...counts });
    }
    case 'log.read': {
      const view = await reads.viewOf(actor, {});
      const commits = upTo(view.state.version, await reads.log.read(query.after));
      const page = paged(
        commits,
        (commit) => String(commit.version),
        (commit) => commit,
        { limit: query.limit, bytes: answerBytes.most - 2_000 },
      );
      const { items, ...counts } = page;
      return reads.ok(view, { commits: items, ...counts });
    }
    case 'permit':
      return permitAnswer(reads, state, query, actor);
    case 'session':
      return sessionAnswer(reads, state, query, actor);
    case 'audit': {
      const { auditWorkspace } = await import('./audit-workspace.ts');
      return auditWorkspace(reads, state, query, actor);
    }
  }
}

async function goalStatus(reads: Reads, state: State, query: GoalStatusQuery, actor: Actor): Promise<Answer> {
  if (query.goal === undefined && (query.view === 'agents' || query.view === 'reservations')) {
    const everyone = query.view === 'agents' ? [...state.agents.keys()] : [];
    const view = await reads.viewOf(actor, { agents: everyone });
    return reads.ok(view, { ...sharedView(view, query), workspace: reads.root });
  }
  // A goal that somebody called g1 does not stand before gate G1.
  const isThing = query.id === undefined || /^[TGE]\d+$/i.test(query.id);
  const whole = isThing ? undefined : state.goals.get(slugOf(query.id ?? ''));
  if (whole) {
    const view = await reads.viewOf(actor, { goals: [whole.goal] });
    const shown = goalView(view, goalNow(view, whole));
    return reads.ok(view, { goal: fitted(shown, answerBytes.page), workspace: reads.root });
  }
  const named = query.id === undefined ? undefined : findById(state, query.id);
  if (named && 'refusal' in named) return reads.refused(await reads.viewOf(actor, {}), named.refusal);
  const found = findGoal(state, query.goal ?? named?.goal);
  if ('refusal' in found) return reads.refused(await reads.viewOf(actor, {}), found.refusal);
  const view = await reads.viewOf(actor, statusFocus(state, found, query));
  const goal = goalNow(view, found);
  if (query.view === 'history') {
    const commits = upTo(view.state.version, await reads.log.read(0));
    return reads.ok(view, historyView(view.state, goal.goal, commits, query));
  }
  const shown = statusView(view, goal, query);
  if ('refusal' in shown) return reads.refused(view, shown.refusal);
  return reads.ok(view, { ...shown, workspace: reads.root });
}

/** The goal at the version of the view: another call may have followed the log further meanwhile. */
function goalNow(view: View, goal: Goal): Goal {
  return view.state.goals.get(goal.goal) as Goal;
}

/** Others may have written since the view was made; an answer shows nothing beyond the version it is true of. */
function upTo(version: number, commits: readonly Commit[]): readonly Commit[] {
  return commits.filter((commit) => commit.version <= version);
}

function statusFocus(state: State, goal: Goal, query: GoalStatusQuery): Focus {
  const isEvidence = query.view === 'evidence' || query.id?.startsWith('E');
  const evidence = !isEvidence ? [] : query.id !== undefined ? [query.id] : evidencePage(state, goal.goal, query);
  return {
    goals: [goal.goal],
    todos: query.id?.startsWith('T') ? [query.id] : [],
    evidence,
    agents: query.view === 'agents' ? [...state.agents.keys()] : [],
  };
}

/** As many pieces of evidence as could come on one page: the files of no others need be looked at. */
function evidencePage(state: State, goal: string, query: GoalStatusQuery): readonly string[] {
  const ids = [...state.evidence.values()].filter((one) => one.goal === goal).map((one) => one.evidence);
  const from = query.cursor === undefined ? 0 : ids.indexOf(query.cursor) + 1;
  return ids.slice(from, from + mostOnPage);
}

/** No page holds more items than this: each takes some hundred bytes of at most 40 KB. */
const mostOnPage = 200;

function reviewFocus(state: State, query: Extract<Query, { type: 'review.packet' }>): Focus {
  const gate = query.gate === undefined ? undefined : state.gates.get(query.gate);
  const todos = gate ? gate.blocks.todos : query.todo === undefined ? [] : [query.todo];
  const goal =
    gate?.goal ?? (query.todo === undefined ? goalNamed(state, query.goal) : state.todos.get(query.todo)?.goal);
  return {
    goals: goal === undefined ? [] : [goal],
    todos,
    evidence: gate ? gate.evidence : goal !== undefined && query.todo === undefined ? lastEvidence(state, goal) : [],
  };
}

function lastEvidence(state: State, goal: string): readonly string[] {
  return [...state.evidence.values()]
    .filter((one) => one.goal === goal)
    .slice(-8)
    .map((one) => one.evidence);
}

/** One look at the table for this agent; with `claim` what it names is taken in the same step. */
async function decideOnce(
  reads: Reads,
  query: ShouldRun,
  actor: Actor,
): Promise<
  | { readonly view: View; readonly goal: Goal; readonly decided: TurnDecision; readonly claimed?: Result }
  | { readonly view: View; readonly refusal: Refusal }
> {
  const state = await reads.catchUp();
  const goalName = goalNamed(state, query.goal);
  const focus = { goals: goalName === undefined ? [] : [goalName], startsWatch: true };
  const before = await reads.viewOf(actor, focus);
  const goal = findGoal(before.state, query.goal);
  if ('refusal' in goal) return { view: before, refusal: goal.refusal };
  const view: View = {
    ...before,
    capabilities: [...before.capabilities, ...(query.capabilities ?? []).map((name) => name.trim().toLowerCase())],
  };
  const { problem } = await reads.log.health();
  const decided = decideTurn(view, goal, problem?.message);
  if (!query.claim || decided.decision !== 'run') return { view, goal, decided };
  const taken = await reads.claim(actor, query.goal, query.capabilities);
  if ('refusal' in taken) return taken;
  const said = taken.result.decision as Pick<TurnDecision, 'decision' | 'code' | 'why'>;
  const after = taken.view.state.goals.get(goal.goal) as Goal;
  // Between the look and the claim another may have been faster; what was decided with the claim is what counts.
  const isSame = said.code === decided.code && taken.result.todo === decided.todo?.todo;
  const rest = isSame ? decided : decideTurn(taken.view, after);
  const fallback = taken.result.fallback;
  return {
    view: taken.view,
    goal: after,
    decided: { ...rest, ...said, ...(fallback && { fallback }) },
    claimed: taken.result,
  };
}

async function shouldRun(
  reads: Reads,
  query: ShouldRun,
  actor: Actor,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  const endsAt = performance.now() + (query.waitS ?? 0) * 1_000;
  let first: string | undefined;
  for (;;) {
    const once = await decideOnce(reads, query, actor);
    if ('refusal' in once) return reads.refused(once.view, once.refusal);
    const { view, goal, decided, claimed } = once;
    const is = `${decided.decision} ${decided.code} ${decided.todo?.todo ?? ''} ${decided.gate?.gate ?? ''}`;
    first ??= is;
    const leftMs = endsAt - performance.now();
    const mayWait = decided.decision === 'wait' || decided.decision === 'ask_human';
    if (!mayWait || is !== first || leftMs <= 0 || signal?.aborted) {
      const asking = query.isLook
        ? { checkInS: 0, notifyOwner: decided.decision === 'ask_human' }
        : {
            checkInS: reads.told.backOff(view, goal, decided),
            notifyOwner: reads.told.shouldNotify(decided),
          };
      const todo = claimed?.token === undefined ? undefined : view.state.todos.get(claimed.todo ?? '');
      return reads.ok(view, { goal: goal.goal, ...decisionView(view, goal, decided, todo, asking) });
    }
    const untilMs = decided.until === undefined ? leftMs : Math.max(50, decided.until - view.at);
    await changeOrTime(reads, Math.min(leftMs, untilMs, 1_000), signal);
  }
}

/** Returns when something was committed, the time is over or the caller gave up. */
function changeOrTime(reads: Reads, ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      stop();
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    const stop = reads.onChange(done);
    signal?.addEventListener('abort', done);
  });
}

function unhealthy(reads: Reads, view: View, error: StoreError): Answer {
  return reads.ok(view, {
    decision: 'repair',
    code: 'store-unhealthy',
    why: `The log cannot be used: ${error.message}`,
    gates: [],
    spendAllowed: false,
    notify: { owner: true, text: `The log of this workspace cannot be used (${error.code}); run \`loopx doctor\`.` },
    next: { checkInS: 60, wakeOn: ['the log is mended'] },
  });
}
