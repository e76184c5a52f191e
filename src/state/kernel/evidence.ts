import { guardClaim } from './claim.ts';
import type { EvidenceInput, EvidenceWrite } from './commands.ts';
import { findEvidence, findGoal, findTodo } from './find.ts';
import type { Evidence, Goal, Todo } from './model.ts';
import { badArgument, call, type Refused, refuse } from './refusal.ts';
import type { Result } from './state.ts';
import { refuseEnded } from './todo.ts';
import type { Work } from './work.ts';

/** evidence_write: one piece of evidence, about a todo or about the goal itself; or a peer's confirmation of one. */
export function writeEvidence(work: Work, act: EvidenceWrite): Result | Refused {
  const todo = act.todo === undefined ? undefined : findTodo(work.state, act.todo);
  if (todo && 'refusal' in todo) return todo;
  const confirmed = act.confirms === undefined ? undefined : findEvidence(work.state, act.confirms);
  if (confirmed && 'refusal' in confirmed) return confirmed;
  const goal = findGoal(work.state, todo?.goal ?? confirmed?.goal ?? act.goal);
  if ('refusal' in goal) return goal;
  const ended = refuseEnded(goal);
  if (ended) return ended;
  // A confirmation is no write about the todo: a peer needs no claim for it, and it is evidence of its own.
  const guarded = todo && !confirmed ? guardClaim(work, todo) : undefined;
  if (guarded) return guarded;
  const id = addEvidence(work, goal, confirmed ? undefined : todo, act, 0, '');
  return typeof id === 'string' ? { goal: goal.goal, evidence: [id], ...(todo && { todo: todo.todo }) } : id;
}

/** Adds one piece of evidence; `at` is its place among those of the command, for what the server hashed. */
export function addEvidence(
  work: Work,
  goal: Goal,
  todo: Todo | undefined,
  input: EvidenceInput,
  at: number,
  field: string,
): string | Refused {
  const named = (name: string) => (field === '' ? name : `${field}.${name}`);
  if (input.summary.trim() === '')
    return badArgument(named('summary'), 'summary says what was seen, e.g. "42 tests pass".');
  const criteria = checkCriteria(work, goal, todo, input, named('criteria'));
  if ('refusal' in criteria) return criteria;
  const supersedes = checkSuperseded(work, todo, input.supersedes, named('supersedes'));
  if (supersedes) return supersedes;
  const confirmed = confirm(work, input, named('confirms'));
  if (confirmed) return confirmed;
  const { kind, summary, result, command, url, metrics, validForS } = input;
  const hashed = work.seen.hashed[at] ?? { files: [], globs: [] };
  const id = `E${work.state.counts.evidence + 1}`;
  work.emit({
    type: 'evidence.written',
    evidence: id,
    record: {
      goal: goal.goal,
      ...(todo && { todo: todo.todo }),
      kind,
      summary,
      result,
      criteria: criteria.ids,
      criteriaBelongTo: criteria.belongTo,
      files: hashed.files,
      globs: hashed.globs,
      ...(hashed.commit !== undefined && { commit: hashed.commit }),
      ...(command && {
        command: {
          line: command.line,
          ...(command.exitCode !== undefined && { exitCode: command.exitCode }),
          ...(command.outputSha256 !== undefined && { outputSha256: command.outputSha256 }),
        },
      }),
      ...(url !== undefined && { url }),
      ...(metrics && { metrics }),
      ...(validForS !== undefined && { validForS }),
      ...(input.supersedes !== undefined && { supersedes: input.supersedes }),
      ...(input.confirms !== undefined && { confirms: input.confirms }),
      by: work.agent,
      session: work.session,
    },
  });
  return id;
}

/** A confirmation speaks of the same criteria as what it confirms. */
function checkCriteria(
  work: Work,
  goal: Goal,
  todo: Todo | undefined,
  input: EvidenceInput,
  field: string,
): { readonly ids: readonly string[]; readonly belongTo: 'goal' | 'todo' } | Refused {
  const ids = [...new Set(input.criteria ?? [])];
  const confirmed = input.confirms === undefined ? undefined : work.state.evidence.get(input.confirms);
  const about = confirmed?.todo === undefined ? todo : work.state.todos.get(confirmed.todo);
  const hasOwn = confirmed ? confirmed.criteriaBelongTo === 'todo' : (about?.acceptance.length ?? 0) > 0;
  const belongTo = hasOwn ? 'todo' : 'goal';
  const owner = about && hasOwn ? about.acceptance : goal.acceptance;
  const known = owner.filter((criterion) => criterion.dropped === undefined).map((criterion) => criterion.id);
  const unknown = ids.find((id) => !known.includes(id));
  if (unknown === undefined) return { ids, belongTo };
  const of = about && hasOwn ? about.todo : `goal ${goal.goal}`;
  const has = known.length === 0 ? 'it has none' : `it has ${known.join(', ')}`;
  return badArgument(field, `${unknown} is no criterion of ${of}: ${has}.`);
}

/** Only whoever wrote a piece of evidence, or holds its todo, may put another in its place. */
function checkSuperseded(
  work: Work,
  todo: Todo | undefined,
  id: string | undefined,
  field: string,
): Refused | undefined {
  if (id === undefined) return undefined;
  const old = findEvidence(work.state, id);
  if ('refusal' in old) return old;
  if (old.todo !== todo?.todo)
    return badArgument(
      field,
      `${id} is about ${old.todo ?? 'the goal'}; evidence is superseded by evidence about the same thing.`,
    );
  const isHolder = todo?.claim?.holder === work.agent;
  if (old.by === work.agent || isHolder) return undefined;
  return refuse(
    'not-allowed',
    `${id} is ${old.by}'s; its author or the holder of its todo supersedes it.`,
    { field, by: old.by },
    call(
      'evidence_write',
      { confirms: id, kind: 'observation', summary: 'What you saw', result: 'fail' },
      'say what you saw beside it',
    ),
  );
}

/** A peer of another session that saw the same raises the grade of the evidence it confirms. */
function confirm(work: Work, input: EvidenceInput, field: string): Refused | undefined {
  if (input.confirms === undefined) return undefined;
  const target = findEvidence(work.state, input.confirms);
  if ('refusal' in target) return target;
  const evidence: Evidence = target;
  if (evidence.by === work.agent || isSameSession(work, evidence)) {
    return refuse(
      'not-allowed',
      `${evidence.evidence} is your own; only another agent of another host session confirms it.`,
      { field, by: evidence.by },
      call('goal_status', { view: 'agents' }, 'who could'),
    );
  }
  if (input.result !== 'pass' || evidence.confirmedBy.some((one) => one.agent === work.agent)) return undefined;
  work.emit({ type: 'evidence.confirmed', evidence: evidence.evidence, agent: work.agent, session: work.session });
  return undefined;
}

/** Two agents of one connection, or of two servers that one host session started, are one witness. */
function isSameSession(work: Work, evidence: Evidence): boolean {
  if (evidence.session === work.session) return true;
  const { actor } = work.command;
  const author = work.state.agents.get(evidence.by);
  return actor.kind === 'agent' && actor.hostSession !== undefined && actor.hostSession === author?.hostSession;
}
