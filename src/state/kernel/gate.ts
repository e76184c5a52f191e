import { checkAmendment } from './amendment.ts';
import type { GateAsk } from './commands.ts';
import { findEvidence, findGoal, findTodo } from './find.ts';
import { holdOn } from './gate-hold.ts';
import { subjectText } from './gate-subject.ts';
import type { Gate, GateKind, GateOption, Goal } from './model.ts';
import { badArgument, call, type Refused, refuse } from './refusal.ts';
import { isClosed, type Result } from './state.ts';
import { refuseEnded } from './todo.ts';
import { checkScope } from './todo-spec.ts';
import type { Work } from './work.ts';

/** gate_ask: one exact question to the owner, and what waits for the answer. */
export function askGate(work: Work, act: GateAsk): Result | Refused {
  const todos = [...new Set(act.blocks?.todos ?? [])];
  const first = todos[0] === undefined ? undefined : findTodo(work.state, todos[0]);
  if (first && 'refusal' in first) return first;
  const goal = findGoal(work.state, act.goal ?? first?.goal);
  if ('refusal' in goal) return goal;
  const ended = refuseEnded(goal);
  if (ended) return ended;
  if (act.question.trim() === '')
    return badArgument('question', 'question is what the owner decides, e.g. "Publish 2.0 now?".');
  const kind = act.kind ?? (act.amendment ? 'amendment' : 'decision');
  const wrong = checkBlocks(work, goal, todos) ?? checkKind(kind, act) ?? checkEvidence(work, act);
  if (wrong) return wrong;
  const options = checkOptions(kind, act.options);
  if ('refusal' in options) return options;
  const protects = checkScope(
    { paths: act.protects?.paths ?? [], resources: act.protects?.resources ?? [] },
    'protects',
  );
  if ('refusal' in protects) return protects;
  const amendment = act.amendment && checkAmendment(goal, act.amendment, 'amendment');
  if (amendment && 'refusal' in amendment) return amendment;
  if (act.recommend !== undefined && !options.list.some((option) => option.key === act.recommend)) {
    return badArgument(
      'recommend',
      `recommend is one of the option keys: ${options.list.map((option) => option.key).join(', ')}.`,
    );
  }
  const subject = {
    kind,
    goal: goal.goal,
    blocks: { todos, goal: act.blocks?.goal === true },
    protects: { ...protects, commands: act.protects?.commands ?? [] },
    ...(amendment && { amendment }),
  };
  const gate = openGate(work, subject, {
    question: act.question.trim(),
    options: options.list,
    context: act.context ?? '',
    evidence: act.evidence ?? [],
    ...(act.recommend !== undefined && { recommend: act.recommend }),
    ...(act.minGrade !== undefined && { minGrade: act.minGrade }),
  });
  return { goal: goal.goal, gate };
}

type Subject = Pick<Gate, 'kind' | 'goal' | 'blocks' | 'protects' | 'amendment'>;
type Words = Pick<Gate, 'question' | 'options' | 'context' | 'evidence' | 'recommend' | 'minGrade'>;

/** Opens a gate and tells the holders whose work it now holds. */
export function openGate(work: Work, subject: Subject, words: Words, by = work.agent): string {
  const id = `G${work.state.counts.gates + 1}`;
  const { goal, ...rest } = subject;
  const subjectDigest = work.crypto.digest(subjectText(work.state, subject));
  work.emit({ type: 'gate.asked', gate: id, goal, asked: { ...rest, ...words, subjectDigest }, by });
  tellHolders(work, work.state.gates.get(id) as Gate);
  return id;
}

export function tellHolders(work: Work, gate: Gate): void {
  for (const id of [...work.state.index.active.keys()]) {
    const todo = work.state.todos.get(id);
    if (todo?.goal !== gate.goal || !todo.claim || !holdOn(work.state, todo, [gate])) continue;
    work.notify(todo.claim.holder, {
      code: 'gate-overlaps',
      todo: id,
      gate: gate.gate,
      text: `Gate ${gate.gate} now holds ${id}, which you work on: it cannot be finished until the owner answers "${gate.question}".`,
    });
  }
}

function checkBlocks(work: Work, goal: Goal, todos: readonly string[]): Refused | undefined {
  for (const [at, id] of todos.entries()) {
    const todo = findTodo(work.state, id);
    if ('refusal' in todo) return todo;
    const field = `blocks.todos[${at}]`;
    if (todo.goal !== goal.goal)
      return badArgument(field, `${id} belongs to goal ${todo.goal}, the gate to ${goal.goal}; ask a gate for each.`);
    if (isClosed(todo)) return badArgument(field, `${id} is ${todo.state}; a gate cannot hold it any more.`);
  }
  return undefined;
}

function checkKind(kind: GateKind, act: GateAsk): Refused | undefined {
  if (kind === 'completion') {
    return refuse(
      'not-allowed',
      'The completion gate opens by itself when every criterion is met by fresh evidence.',
      { field: 'kind' },
      call('goal_status', {}, 'which criteria are open'),
    );
  }
  if (kind === 'amendment' && !act.amendment) {
    return badArgument(
      'amendment',
      'A gate of kind amendment says exactly what to change, e.g. amendment: {"objective": "Support CSV and TSV"}.',
    );
  }
  if (kind !== 'amendment' && act.amendment) return badArgument('kind', 'amendment goes with kind "amendment".');
  return undefined;
}

function checkEvidence(work: Work, act: GateAsk): Refused | undefined {
  for (const id of act.evidence ?? []) {
    const evidence = findEvidence(work.state, id);
    if ('refusal' in evidence) return evidence;
  }
  return undefined;
}

const yesNo: readonly GateOption[] = [
  { key: 'yes', label: 'Yes', effect: 'approve' },
  { key: 'no', label: 'No', effect: 'deny' },
];

const told: readonly GateOption[] = [
  { key: 'told', label: 'The answer is in the note', effect: 'choose' },
  { key: 'skip', label: 'Go on without it', effect: 'choose' },
];

function checkOptions(
  kind: GateKind,
  options: readonly GateOption[] | undefined,
): { readonly list: readonly GateOption[] } | Refused {
  if (options === undefined || options.length === 0) return { list: kind === 'information' ? told : yesNo };
  const list = options.map((option) => ({
    ...option,
    key: option.key.trim().toLowerCase(),
    label: option.label.trim() || option.key.trim(),
  }));
  const bad = list.findIndex((option) => !/^[a-z0-9][a-z0-9_-]{0,29}$/.test(option.key));
  if (bad >= 0)
    return badArgument(`options[${bad}].key`, 'a key is a short word of letters, digits, - and _, e.g. "yes".');
  if (new Set(list.map((option) => option.key)).size < list.length)
    return badArgument('options', 'every option has a key of its own, e.g. "yes" and "no".');
  if (list.length < 2)
    return badArgument('options', 'a question has at least two options, e.g. yes (approve) and no (deny).');
  const effects = list.map((option) => option.effect);
  const needsDeny = kind === 'approval' || kind === 'amendment' || effects.includes('approve');
  if (needsDeny && !effects.includes('deny')) {
    return badArgument(
      'options',
      'an approval always has a way to say no: add an option with effect "deny", e.g. {"key": "no", "label": "No", "effect": "deny"}.',
    );
  }
  if ((kind === 'approval' || kind === 'amendment') && !effects.includes('approve')) {
    return badArgument(
      'options',
      `a gate of kind ${kind} has an option with effect "approve", e.g. {"key": "yes", "label": "Yes", "effect": "approve"}.`,
    );
  }
  return { list };
}
