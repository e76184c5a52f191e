import { isDeepStrictEqual } from 'node:util';
import type { Answer, GoalStatusQuery, OkAnswer, Query, RefusedAnswer } from '../../src/state/answer.ts';
import { findById, findGoal } from '../../src/state/kernel/find.ts';
import { actAnswer } from '../../src/state/views/act-answer.ts';
import { answerBytes, fitted } from '../../src/state/views/shape.ts';
import { statusView } from '../../src/state/views/status-view.ts';
import type { Operation } from './history.ts';
import { type Asked, askedBy, type Model } from './model.ts';

/**
 * What is wrong with an answer, if anything: it must be what the model says on the state at the answer's own version.
 * @param written the version of the commit that the call made, if it made one
 */
export function wrongAnswer(model: Model, operation: Operation, written: number | undefined): string | undefined {
  const answer = operation.answer as Answer;
  if (answer.version >= model.states.length) return 'it is about a version that the log does not have';
  const asked = askedBy(operation);
  if (written !== undefined && !answer.ok) return `it was refused, but version ${written} is its commit`;
  // A writer that gave way for too long says so, and that nothing was written, which the line above holds it to.
  if (!answer.ok && answer.code === 'store-busy') return undefined;
  if (written !== undefined && answer.version !== written) return `it is acknowledged, but in the log at ${written}`;
  if (asked.act) return wrongAct(model, operation, asked, answer, written);
  if (asked.query?.type === 'quota.should-run') return wrongTurn(model, operation, asked.query, answer, written);
  if (asked.query?.type === 'goal.status') return wrongStatus(model, operation, asked.query, answer);
  return 'nothing is known of such a call';
}

function wrongAct(model: Model, { agent }: Operation, asked: Asked, answer: Answer, written: number | undefined) {
  const decided = model.decide(written === undefined ? answer.version : written - 1, agent, asked);
  if ('refusal' in decided || !answer.ok) return wrongRefusal(answer, 'refusal' in decided ? decided : undefined);
  if (written === undefined && decided.events.length > 0) return 'it is acknowledged, but not in the log';
  if (answer.replayOf !== decided.replayed) return `it repeats version ${decided.replayed}`;
  if (asked.act === undefined) return undefined;
  return unlike(
    answer,
    fitted(actAnswer(model.view(answer.version, agent), asked.act, decided.result), answerBytes.usual),
  );
}

function wrongRefusal(
  answer: Answer,
  decided: { readonly refusal: Pick<RefusedAnswer, 'code' | 'details'> } | undefined,
) {
  if (answer.ok) return `the model refuses it: ${decided?.refusal.code}`;
  if (!decided) return 'the model does not refuse it';
  const { code, details } = decided.refusal;
  return unlike(answer, { code, details });
}

function wrongTurn(
  model: Model,
  { agent, args }: Operation,
  query: Query,
  answer: Answer,
  written: number | undefined,
) {
  // What a claim was decided on is the state before it; otherwise what is told is that of the version told.
  const decided = model.turn(written === undefined ? answer.version : written - 1, agent, query);
  if (!decided || !answer.ok) return 'a decision was not to be had';
  const { decision, code, todo } = decided;
  if (answer.decision !== decision || answer.code !== code) return `the model says ${decision}, ${code}`;
  const told = answer.todo as { readonly todo?: string } | undefined;
  if (told?.todo !== todo?.todo) return `the model names ${todo?.todo}, not ${told?.todo}`;
  const claim = model.states[answer.version]?.todos.get(told?.todo ?? '')?.claim;
  if (args.claim !== true || decision !== 'run') return undefined;
  if (claim?.holder !== agent) return `it claims ${told?.todo}, which ${claim?.holder ?? 'nobody'} holds`;
  const { token } = (answer.claim ?? {}) as { readonly token?: number };
  return token === claim.token ? undefined : `its token is ${token}, but the model says ${claim.token}`;
}

function wrongStatus(model: Model, { agent }: Operation, query: GoalStatusQuery, answer: Answer): string | undefined {
  const view = model.view(answer.version, agent);
  const named = query.id === undefined ? undefined : findById(view.state, query.id);
  if (named && 'refusal' in named) return wrongRefusal(answer, named);
  const goal = findGoal(view.state, query.goal ?? named?.goal);
  if ('refusal' in goal) return wrongRefusal(answer, goal);
  const shown = statusView(view, goal, query);
  if ('refusal' in shown) return wrongRefusal(answer, shown);
  return answer.ok ? unlike(answer, shown) : 'the model does not refuse it';
}

/** Fields that tell of the moment and of presence, not of the log. */
const momentary = new Set(['expiresAt', 'standing', 'until', 'offeredUntil', 'attention']);

/** The first field of what the model says that the answer says otherwise. */
function unlike(answer: OkAnswer | RefusedAnswer, expected: object): string | undefined {
  const plain = JSON.parse(JSON.stringify(expected)) as { readonly [name: string]: unknown };
  for (const [name, value] of Object.entries(plain)) {
    const [said, due] = [lasting(answer[name]), lasting(value)];
    if (isDeepStrictEqual(said, due)) continue;
    return `${name} is ${JSON.stringify(said)?.slice(0, 400)}, but the model says ${JSON.stringify(due).slice(0, 400)}`;
  }
  return undefined;
}

function lasting(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lasting);
  if (value === null || typeof value !== 'object') return value;
  const kept = Object.entries(value).filter(([name]) => !momentary.has(name));
  return Object.fromEntries(kept.map(([name, field]) => [name, lasting(field)]));
}
