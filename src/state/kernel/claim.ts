import { expiresAt, standingOf } from './claim-standing.ts';
import { wallIso } from './clock.ts';
import type { QuotaClaim, TodoClaim } from './commands.ts';
import { decideBrake, decideTurn, type Fallback, fallbackOf, runnable, type TurnDecision } from './decision.ts';
import { findGoal, findTodo } from './find.ts';
import { standingGates } from './gate-hold.ts';
import { endLapsed, takenWords, takeOver } from './lapsed.ts';
import { limits } from './limits.ts';
import type { Claim, Gate, Goal, Todo } from './model.ts';
import { call, type Refused, refuse } from './refusal.ts';
import { choose, offerOn, type WhyNot, whyNot } from './runnable.ts';
import type { Result } from './state.ts';
import { inWords } from './waiting.ts';
import type { Work } from './work.ts';

/** todo_claim: the todo that is named, or the best one that this agent could run. */
export function claimTodo(work: Work, act: TodoClaim): Result | Refused {
  const named = act.todo === undefined ? undefined : findTodo(work.state, act.todo);
  if (named && 'refusal' in named) return named;
  const goal = findGoal(work.state, named?.goal ?? act.goal);
  if ('refusal' in goal) return goal;
  const brake = decideBrake(work, goal);
  if (brake) return braked(work, goal, brake);
  const todo = named ?? bestFor(work, goal);
  if ('refusal' in todo) return todo;
  const why = whyNot(work, todo);
  if (why?.is === 'held' && act.challenge) return challenge(work, todo as Todo & { claim: Claim });
  if (why) return unclaimable(work, todo, why);
  return grant(work, goal, todo, act.ttlS);
}

/** The claim of quota_should_run: takes exactly what the decision names, and nothing where it names nothing. */
export function claimDecided(work: Work, act: QuotaClaim): Result | Refused {
  const goal = findGoal(work.state, act.goal);
  if ('refusal' in goal) return goal;
  const decided = decideTurn(work, goal);
  const { decision, code, why } = decided;
  const result = { goal: goal.goal, decision: { decision, code, why } };
  if (decision !== 'run' || !decided.todo) return result;
  if (code === 'continue-claim') return { ...result, todo: decided.todo.todo, token: decided.todo.claim?.token ?? 0 };
  return { ...result, ...grant(work, goal, decided.todo, undefined) };
}

function bestFor(work: Work, goal: Goal): Todo | Refused {
  const best = runnable(work, goal, choose(work, goal.goal, standingGates(work.state, goal.goal)))?.todo;
  if (best) return best;
  const decided = decideTurn(work, goal);
  return refuse(
    'nothing-runnable',
    `No todo of goal ${goal.goal} can be claimed now. ${decided.why}`,
    { decision: decided.decision, reason: decided.code, ...(decided.gate && { gate: decided.gate.gate }) },
    call('quota_should_run', { goal: goal.goal }, 'what to do instead, and when to ask again'),
  );
}

/** Grants the claim: its token is the version of this commit. Whoever held it before is told. */
function grant(work: Work, goal: Goal, todo: Todo, ttlS: number | undefined): Result {
  if (todo.claim?.holder === work.agent) {
    work.emit({
      type: 'claim.renewed',
      todo: todo.todo,
      session: work.session,
      ...(ttlS === undefined ? {} : { ttlS }),
    });
    return { goal: goal.goal, todo: todo.todo, token: todo.claim.token };
  }
  const fallback = auditFallback(work, goal, todo);
  if (todo.claim) takeOver(work, todo as Todo & { claim: Claim });
  endLapsed(work, todo.scope);
  if (todo.state === 'blocked' || todo.state === 'deferred')
    work.emit({ type: 'todo.opened', todo: todo.todo, why: 'resumed' });
  const handoff = todo.handoff === undefined ? undefined : work.state.handoffs.get(todo.handoff);
  if (handoff?.state === 'offered') {
    const isInTime = offerOn(work, todo) !== undefined;
    if (isInTime) work.emit({ type: 'handoff.accepted', handoff: handoff.handoff, agent: work.agent });
    else work.emit({ type: 'handoff.ended', handoff: handoff.handoff });
  }
  work.emit({
    type: 'claim.granted',
    todo: todo.todo,
    agent: work.agent,
    session: work.session,
    ttlS: ttlS ?? limits.ttlSDefault,
    ...(fallback && { fallback }),
  });
  return { goal: goal.goal, todo: todo.todo, token: work.stamp.version, ...(fallback && { fallback }) };
}

function auditFallback(work: Work, goal: Goal, todo: Todo): Fallback | undefined {
  return fallbackOf(work, goal, choose(work, goal.goal, standingGates(work.state, goal.goal)), todo);
}

/** A peer asks an idle holder to show itself: any write within the grace answers. */
function challenge(work: Work, todo: Todo & { readonly claim: Claim }): Result | Refused {
  const standing = standingOf(work, todo.claim);
  const why = whyNot(work, todo) as Extract<WhyNot, { is: 'held' }>;
  if (todo.claim.challenge || standing !== 'idle') return unclaimable(work, todo, why);
  work.emit({ type: 'claim.challenged', todo: todo.todo, by: work.agent, graceS: work.seen.graceS });
  work.notify(todo.claim.holder, {
    code: 'challenged',
    todo: todo.todo,
    text: `${work.agent} asks for ${todo.todo}, which you hold but seem idle on: write anything about it within ${work.seen.graceS} s, or lose it.`,
  });
  return { goal: todo.goal, todo: todo.todo, challenge: true };
}

/** The refusal for rows 1 to 6 of the decision table. */
export function braked(work: Work, { goal }: Goal, brake: TurnDecision): Refused {
  const ask = call('quota_should_run', { goal }, 'when to ask again');
  switch (brake.code) {
    case 'turn-unsettled':
      return refuse(
        'turn-unsettled',
        brake.why,
        { todo: brake.todo?.todo },
        call(
          'writeback',
          { todo: brake.todo?.todo, outcome: 'progress', summary: 'How the earlier turn ended' },
          'settle that turn',
        ),
        call('todo_update', { todo: brake.todo?.todo, state: 'open' }, 'or give the todo back'),
      );
    case 'gate-goal':
      return gatePending(brake.gate as Gate, brake.why);
    case 'quota-exhausted':
      return refuse(
        'quota-exhausted',
        brake.why,
        brake.until === undefined ? {} : { freesAt: wallIso(work.state, brake.until) },
        ask,
      );
    case 'goal-done':
    case 'goal-stopped':
    case 'goal-paused':
      return refuse(brake.code, brake.why, {}, call('goal_status', { goal }, 'how the goal stands'));
    default:
      return refuse('store-read-only', brake.why, {}, ask);
  }
}

export function gatePending(gate: Gate, message: string): Refused {
  return refuse(
    'gate-pending',
    message,
    { gate: gate.gate, question: gate.question },
    call('quota_should_run', { goal: gate.goal }, 'what can go on meanwhile'),
    call('goal_status', { view: 'gates', id: gate.gate }, 'the gate and how the owner answers it'),
  );
}

/** The refusal for a todo that cannot be claimed. */
function unclaimable(work: Work, todo: Todo, why: WhyNot): Refused {
  const id = todo.todo;
  const elsewhere = call('todo_claim', { goal: todo.goal }, 'the best todo that can run');
  const words = inWords(why);
  const until = words.until === undefined ? {} : { until: wallIso(work.state, words.until) };
  switch (why.is) {
    case 'gate':
      if (why.hold.gate.state === 'open') {
        return gatePending(
          why.hold.gate,
          `${id} waits for the owner's answer to gate ${why.hold.gate.gate}: ${why.hold.gate.question}`,
        );
      }
      return refuse(
        'todo-blocked',
        `${id} is blocked: the owner denied gate ${why.hold.gate.gate}. ${why.hold.gate.answer?.words ?? ''}`.trim(),
        { gate: why.hold.gate.gate, blockedBy: [{ gate: why.hold.gate.gate }] },
        elsewhere,
      );
    case 'held':
      return heldRefusal(work, todo as Todo & { claim: Claim }, why);
    case 'reserved':
      return refuse(
        'reserved',
        `${id} cannot run: ${words.what}.`,
        { holder: words.who, ...until, todo: why.obstacle.todo },
        elsewhere,
      );
    case 'closed':
      return refuse(
        'todo-blocked',
        `${id} is ${todo.state}; nothing is left to claim.`,
        { state: todo.state },
        elsewhere,
      );
    case 'after':
      return refuse(
        'todo-blocked',
        `${id} comes ${words.what}.`,
        { blockedBy: why.todos.map((other) => ({ todo: other })) },
        elsewhere,
      );
    default:
      return refuse(
        'todo-blocked',
        `${id} cannot be claimed by you now: ${words.what}.`,
        { blockedBy: [{ reason: words.what }], ...until },
        elsewhere,
      );
  }
}

function heldRefusal(
  work: Work,
  todo: Todo & { readonly claim: Claim },
  why: Extract<WhyNot, { is: 'held' }>,
): Refused {
  const { claim, todo: id } = todo;
  const details = holderDetails(work, todo);
  const elsewhere = call('todo_claim', { goal: todo.goal }, 'the best todo that can run');
  if (why.watchLeftS !== undefined) {
    const retryInS = Math.ceil(why.watchLeftS * 10) / 10;
    return refuse(
      'claim-held',
      `${claim.holder} let its claim on ${id} run out, but its process lives: it is being watched; ask again in ${retryInS} s.`,
      { ...details, retryInS },
      call('todo_claim', { todo: id }, `take it over if nothing moved in ${retryInS} s`),
      elsewhere,
    );
  }
  const challenged = claim.challenge;
  if (challenged) {
    const graceEnds = challenged.at + challenged.graceS * 1_000;
    return refuse(
      'claim-held',
      `${id} is held by ${claim.holder}, which ${challenged.by} challenged; the answer is due by ${wallIso(work.state, graceEnds)}.`,
      { ...details, challenge: { by: challenged.by, until: wallIso(work.state, graceEnds) } },
      elsewhere,
    );
  }
  const isIdle = standingOf(work, claim) === 'idle';
  return refuse(
    'claim-held',
    `${id} is held by ${claim.holder} until ${wallIso(work.state, expiresAt(work, claim))}${isIdle ? ', who seems idle' : ''}.`,
    details,
    ...(isIdle ? [call('todo_claim', { todo: id, challenge: true }, 'ask the idle holder to show itself')] : []),
    elsewhere,
  );
}

/** Who holds a todo, since when and until when; shared by claim-held and claim-lost. */
function holderDetails(work: Work, todo: Todo): Refused['refusal']['details'] {
  const lost = todo.lost[work.agent];
  if (!todo.claim)
    return {
      holder: null,
      todo: todo.todo,
      ...(lost && { lostTo: lost.to, since: wallIso(work.state, lost.at), why: lost.why }),
    };
  return {
    todo: todo.todo,
    holder: todo.claim.holder,
    since: wallIso(work.state, todo.claim.grantedAt),
    expiresAt: wallIso(work.state, expiresAt(work, todo.claim)),
    standing: standingOf(work, todo.claim),
    ...(lost && { why: lost.why }),
  };
}

/** A write about a claimed todo by someone who does not hold it, or by a token that was superseded, is refused. */
export function guardClaim(work: Work, todo: Todo, token?: number): Refused | undefined {
  const { claim } = todo;
  const isStaleToken = token !== undefined && claim?.token !== token;
  if (!isStaleToken && (!claim || claim.holder === work.agent)) return undefined;
  const isMine = claim?.holder === work.agent;
  if (isStaleToken || todo.lost[work.agent]) return claimLost(work, todo, isMine);
  return heldRefusal(work, todo as Todo & { claim: Claim }, { is: 'held', holder: claim?.holder ?? '', expiresAt: 0 });
}

export function claimLost(work: Work, todo: Todo, isMine = false): Refused {
  const lost = todo.lost[work.agent];
  const now = !todo.claim
    ? 'nobody holds it now'
    : isMine
      ? `your claim now has token ${todo.claim.token}`
      : `${todo.claim.holder} holds it now`;
  const why = lost ? ` (${takenWords[lost.why as keyof typeof takenWords] ?? lost.why})` : '';
  return refuse(
    'claim-lost',
    `Your claim on ${todo.todo} was superseded${why}: ${now}. Nothing was written.`,
    holderDetails(work, todo),
    call('quota_should_run', { goal: todo.goal }, 'what to do now'),
  );
}

/** As guardClaim, and the agent must hold the todo: only the holder closes it or writes back about it. */
export function mustHold(work: Work, todo: Todo, token?: number): Refused | undefined {
  const guarded = guardClaim(work, todo, token);
  if (guarded) return guarded;
  if (todo.claim) return undefined;
  if (todo.lost[work.agent]) return claimLost(work, todo);
  return refuse(
    'not-allowed',
    `Only the holder does that, and nobody holds ${todo.todo} (it is ${todo.state}).`,
    { todo: todo.todo, state: todo.state },
    call('todo_claim', { todo: todo.todo }, 'hold it first'),
  );
}
