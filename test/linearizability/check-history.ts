import { isDeepStrictEqual } from 'node:util';
import type { Commit } from '../../src/state/log/commit-log.ts';
import { wrongAnswer } from './answers.ts';
import { type History, inWords, type Operation } from './history.ts';
import { type Asked, askedBy, Model } from './model.ts';
import { brokenOrder, type Placed } from './real-time-order.ts';

/**
 * Everything in which a history of calls is not that of one control plane that takes one call at a time, with the
 * kernel as the model of it. Since every answer names its version, the order need not be searched for: it is the log's.
 * 1. Each commit belongs to one call, and is what the kernel decides for that call on the state right before it.
 * 2. Each acknowledged write is in the log, at the version that its answer says.
 * 3. Each refusal, repeat and read is what the kernel says on the state at the version that its answer says.
 * 4. The order of versions is that of real time.
 */
export function checkHistory({ operations }: History, commits: readonly Commit[]): readonly string[] {
  const model = new Model(commits);
  const authors = authorsOf(operations, commits);
  const problems: string[] = [];
  const placed: Placed[] = [];
  for (const { version, command } of commits) {
    const isOurs = authors.byVersion.has(version) || command.type === 'segment.seal';
    if (!isOurs) problems.push(`nobody asked for version ${version}`);
  }
  for (const operation of operations) {
    const { answer } = operation;
    const written = authors.byOperation.get(operation);
    const version = written ?? answer?.version;
    if (version === undefined) continue;
    placed.push({ operation, version, isWrite: written !== undefined });
    const problem =
      (written === undefined ? undefined : wrongCommit(model, commits[written - 1] as Commit, operation)) ??
      (answer && wrongAnswer(model, operation, written));
    if (problem !== undefined) problems.push(`${inWords(operation)}: ${problem}`);
  }
  return [...problems, ...brokenOrder(placed)];
}

/** In what the commit is not what the kernel decides for the call on the state before it. */
function wrongCommit(model: Model, commit: Commit, operation: Operation): string | undefined {
  const asked = asAct(askedBy(operation));
  const decided = model.decide(commit.version - 1, operation.agent, asked, Date.parse(commit.at));
  const events = 'refusal' in decided ? decided.refusal.code : JSON.parse(JSON.stringify(decided.events));
  if (isDeepStrictEqual(events, commit.events)) return undefined;
  const [came, due] = [commit.events, events].map((one) => JSON.stringify(one).slice(0, 300));
  return `its commit is ${came}, but on the state before it the kernel decides ${due}`;
}

/** The claim of quota_should_run is an act of its own. */
function asAct(asked: Asked): Asked {
  const { query } = asked;
  if (query?.type !== 'quota.should-run') return asked;
  return { act: { type: 'quota.claim', goal: query.goal, capabilities: query.capabilities } };
}

/** Which call made which commit: by its key and, for the claim of quota_should_run, which has none, by its version. */
function authorsOf(operations: readonly Operation[], commits: readonly Commit[]) {
  const byVersion = new Map<number, Operation>();
  const byOperation = new Map<Operation, number>();
  // Of several calls that one commit would do for it is of one that was told so, and of the first that was.
  const inOrder = [...operations].sort((a, b) => chance(b) - chance(a) || a.endedAt - b.endedAt);
  for (const { version, by, command } of commits) {
    const author = inOrder.find((operation) => {
      if (operation.agent !== by.agent || byOperation.has(operation)) return false;
      const { args, answer, tool } = operation;
      if (command.key !== undefined)
        return args.idempotencyKey === command.key && !hasReplayed(operation) && !gaveWay(operation);
      return tool === 'quota_should_run' && args.claim === true && answer?.ok && answer.version === version;
    });
    if (!author) continue;
    byVersion.set(version, author);
    byOperation.set(author, version);
  }
  return { byVersion, byOperation };
}

/** A writer that met conflicts for too long wrote nothing; a later call with its key did. */
function gaveWay({ answer }: Operation): boolean {
  return answer?.ok === false && answer.code === 'store-busy';
}

/** A call that got no answer may have taken effect; one that was refused must not have. */
function chance({ answer }: Operation): number {
  return answer === undefined ? 1 : answer.ok ? 2 : 0;
}

function hasReplayed({ answer }: Operation): boolean {
  return answer?.ok === true && answer.replayed === true;
}
