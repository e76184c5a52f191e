import { checkAmendment } from './amendment.ts';
import { braked } from './claim.ts';
import type { Actor, OwnerAct } from './commands.ts';
import { isDenial } from './evolve-gate.ts';
import { findEvidence, findGate, findGoal } from './find.ts';
import { criteriaOf } from './freshness.ts';
import { signedActText, signedText } from './gate-subject.ts';
import type { AnswerGrade, Gate, Goal } from './model.ts';
import { badArgument, call, type Refused, refuse } from './refusal.ts';
import { isClosed, type Result } from './state.ts';
import type { Work } from './work.ts';

type Owner = Extract<Actor, { kind: 'owner' }>;

const grades: readonly AnswerGrade[] = ['prompt', 'confirmed', 'signed'];

/** The acts of the owner. Pause, stop and lesson are free to every channel; the others need a grade. */
export function ownerActs(work: Work, owner: Owner, act: OwnerAct): Result | Refused {
  const forged = forgery(work, owner, act);
  if (forged) return forged;
  switch (act.type) {
    case 'gate.answer':
      return answerGate(work, owner, act);
    case 'gate.withdraw':
    case 'gate.supersede':
    case 'gate.lift':
      return endGate(work, owner, act);
    case 'goal.amend':
      return amend(work, owner, act);
    case 'goal.pause':
    case 'goal.stop':
    case 'goal.resume':
      return brakeGoal(work, owner, act);
    case 'goal.lesson':
      return lesson(work, act);
    case 'evidence.accept':
      return acceptEvidence(work, owner, act);
    case 'owner.set-key':
      return setKey(work, owner, act.publicKey);
    case 'owner.set-min-grade':
      return setMinGrade(work, owner, act.minGrade);
  }
}

/** An act that comes as signed is what its signature says; answers, keys and grades are signed in texts of their own. */
function forgery(work: Work, owner: Owner, act: OwnerAct): Refused | undefined {
  const hasOwnText =
    act.type === 'gate.answer' ||
    act.type === 'owner.set-min-grade' ||
    (act.type === 'owner.set-key' && work.state.owner.publicKey !== undefined);
  if (owner.grade !== 'signed' || hasOwnText) return undefined;
  const gate = 'gate' in act ? work.state.gates.get(act.gate) : undefined;
  return badSignature(work, owner, signedActText(work.state.log, act, gate, owner.signedAt ?? ''));
}

/** The grade that an act of the owner needs: the workspace's, or the gate's if that is higher. */
export function neededGrade(minGrade: AnswerGrade, gate?: Gate): AnswerGrade {
  const own = gate?.minGrade ?? 'prompt';
  return grades.indexOf(own) > grades.indexOf(minGrade) ? own : minGrade;
}

function tooLow(work: Work, owner: Owner, how: string, gate?: Gate): Refused | undefined {
  const needed = neededGrade(work.before.owner.minGrade, gate);
  if (grades.indexOf(owner.grade) >= grades.indexOf(needed)) return undefined;
  return refuse(
    'not-allowed',
    `This needs the owner's word with grade ${needed}, and this channel gives ${owner.grade}. Use ${how}.`,
    { needed, grade: owner.grade },
    call('goal_status', { view: 'gates' }, 'how the owner answers'),
  );
}

function answerGate(work: Work, owner: Owner, act: Extract<OwnerAct, { type: 'gate.answer' }>): Result | Refused {
  const gate = findGate(work.state, act.gate);
  if ('refusal' in gate) return gate;
  const key = act.option.trim().toLowerCase();
  const option = gate.options.find((one) => one.key === key);
  if (!option) {
    return badArgument(
      'option',
      `${gate.gate} has the options ${gate.options.map((one) => one.key).join(', ')}; "${act.option}" is none of them.`,
    );
  }
  if (gate.state === 'answered') {
    const was = gate.answer?.option ?? '';
    if (was === key) return { goal: gate.goal, gate: gate.gate, repeat: `${gate.gate} was answered ${was} before` };
    return refuse(
      'not-allowed',
      `${gate.gate} is already answered ${was}; an answer is not changed by another.`,
      { gate: gate.gate, option: was },
      call('goal_status', { view: 'gates', id: gate.gate }, 'the answer that stands'),
    );
  }
  if (gate.state !== 'open')
    return refuse(
      'not-allowed',
      `${gate.gate} is ${gate.state}; there is nothing to answer.`,
      { gate: gate.gate, state: gate.state },
      call('goal_status', { view: 'gates' }, 'the gates there are'),
    );
  if (act.revision !== undefined && act.revision !== gate.revision) {
    return refuse(
      'not-allowed',
      `${gate.gate} was asked again since you saw it (revision ${gate.revision}, not ${act.revision}); read it and answer what is asked now.`,
      { gate: gate.gate, revision: gate.revision },
      call('goal_status', { view: 'gates', id: gate.gate }, 'the question as it is now'),
    );
  }
  const low = tooLow(
    work,
    owner,
    `\`loopx gate answer ${gate.gate} ${key}\` in a terminal, or the form of a host that shows forms`,
    gate,
  );
  if (low) return low;
  const forged =
    owner.grade === 'signed'
      ? badSignature(work, owner, signedText(work.state.log, gate, key, owner.signedAt ?? ''))
      : undefined;
  if (forged) return forged;
  const stale = gate.kind === 'completion' && option.effect === 'approve' ? unmet(work, gate) : undefined;
  if (stale) return stale;
  const { name, channel, grade } = owner;
  const words = act.words?.trim() ?? '';
  const answer = { option: key, effect: option.effect, channel, grade, name, words };
  work.emit({
    type: 'gate.answered',
    gate: gate.gate,
    answer,
    ...(owner.signature !== undefined && { signature: owner.signature, signedAt: owner.signedAt ?? '' }),
  });
  release(work, gate, option.effect, option.label, key, words);
  return { goal: gate.goal, gate: gate.gate };
}

/** What the answer brings about, at once. */
function release(
  work: Work,
  gate: Gate,
  effect: Gate['options'][number]['effect'],
  label: string,
  option: string,
  words: string,
): void {
  for (const id of gate.blocks.todos) {
    const todo = work.state.todos.get(id);
    if (!todo || isClosed(todo)) continue;
    if (effect === 'deny') {
      const reason = `the owner denied gate ${gate.gate} "${gate.question}"${words === '' ? '' : `: ${words}`}`;
      work.emit({ type: 'todo.blocked', todo: id, reason, deniedBy: gate.gate });
    } else if (effect === 'choose' || words !== '') {
      work.emit({ type: 'todo.choice-made', todo: id, gate: gate.gate, option, label, words });
    }
  }
  if (effect === 'approve' && gate.amendment)
    work.emit({ type: 'goal.amended', goal: gate.goal, amendment: gate.amendment, gate: gate.gate });
  if (effect === 'approve' && gate.kind === 'completion')
    work.emit({ type: 'goal.done', goal: gate.goal, gate: gate.gate });
  const told = new Set([gate.askedBy]);
  for (const id of gate.blocks.todos) {
    const holder = work.before.todos.get(id)?.claim?.holder;
    if (holder !== undefined) told.add(holder);
  }
  for (const agent of told) {
    work.notify(agent, {
      code: 'gate-answered',
      gate: gate.gate,
      ...(gate.blocks.todos[0] !== undefined && { todo: gate.blocks.todos[0] }),
      text: `The owner answered ${gate.gate} "${gate.question}": ${label} (${option})${words === '' ? '' : `, saying: ${words}`}.`,
    });
  }
  if (gate.amendment && effect === 'approve')
    tellGoal(work, gate.goal, `The owner changed goal ${gate.goal} by ${gate.gate}; read its objective again.`);
}

/** Evidence may have gone stale between the question and the answer. */
function unmet(work: Work, gate: Gate): Refused | undefined {
  const missing = criteriaOf(work, gate.goal)
    .filter((criterion) => criterion.state === 'open')
    .map((criterion) => ({ criterion: criterion.criterion, lacks: criterion.stale ?? 'fresh passing evidence' }));
  if (missing.length === 0) return undefined;
  return refuse(
    'evidence-missing',
    `The goal cannot be done: ${missing.map((one) => `${one.criterion} lacks ${one.lacks}`).join('; ')}.`,
    { missing },
    call('goal_status', { goal: gate.goal }, 'the criteria and their evidence'),
  );
}

function badSignature(work: Work, owner: Owner, text: string): Refused | undefined {
  const key = work.before.owner.publicKey;
  if (key === undefined)
    return refuse(
      'not-allowed',
      'No owner key is set in this workspace, so nothing can be signed; run `loopx owner init`.',
      { needed: 'owner key' },
    );
  if (owner.signature !== undefined && work.crypto.verify(key, text, owner.signature)) return undefined;
  return refuse(
    'not-allowed',
    'The signature does not fit this act, its gate and revision; sign again what `loopx gate show` prints.',
    { field: 'signature' },
  );
}

function endGate(
  work: Work,
  owner: Owner,
  act: Extract<OwnerAct, { type: 'gate.withdraw' | 'gate.supersede' | 'gate.lift' }>,
): Result | Refused {
  const gate = findGate(work.state, act.gate);
  if ('refusal' in gate) return gate;
  const low = tooLow(work, owner, 'the command line in a terminal', gate);
  if (low) return low;
  const words = act.words?.trim() ?? '';
  if (act.type === 'gate.lift') {
    if (!isDenial(gate))
      return refuse('not-allowed', `${gate.gate} is no denial; there is nothing to lift.`, {
        gate: gate.gate,
        state: gate.state,
      });
    work.emit({ type: 'gate.lifted', gate: gate.gate, words });
    for (const id of gate.blocks.todos) {
      if (work.state.todos.get(id)?.deniedBy === gate.gate) work.emit({ type: 'todo.opened', todo: id, why: 'lifted' });
    }
  } else {
    if (gate.state !== 'open')
      return refuse('not-allowed', `${gate.gate} is ${gate.state}; only an open gate is withdrawn.`, {
        gate: gate.gate,
        state: gate.state,
      });
    work.emit({
      type: act.type === 'gate.withdraw' ? 'gate.withdrawn' : 'gate.superseded',
      gate: gate.gate,
      why: words || 'by the owner',
    });
  }
  work.notify(gate.askedBy, {
    code: 'gate-answered',
    gate: gate.gate,
    text: `The owner took back ${act.type === 'gate.lift' ? 'the denial of ' : ''}${gate.gate}. ${words}`.trim(),
  });
  return { goal: gate.goal, gate: gate.gate };
}

function amend(work: Work, owner: Owner, act: Extract<OwnerAct, { type: 'goal.amend' }>): Result | Refused {
  const goal = liveGoal(work, act.goal);
  if ('refusal' in goal) return goal;
  const low = tooLow(work, owner, `\`loopx goal amend --goal ${goal.goal}\` in a terminal`);
  if (low) return low;
  const amendment = checkAmendment(goal, act.amendment, 'amendment');
  if ('refusal' in amendment) return amendment;
  work.emit({ type: 'goal.amended', goal: goal.goal, amendment, ...(act.words !== undefined && { words: act.words }) });
  tellGoal(work, goal.goal, `The owner changed goal ${goal.goal}; read its objective again.`);
  return { goal: goal.goal };
}

const brakes = {
  'goal.pause': { event: 'goal.paused', status: 'paused', words: 'paused' },
  'goal.stop': { event: 'goal.stopped', status: 'stopped', words: 'stopped' },
  'goal.resume': { event: 'goal.resumed', status: 'active', words: 'resumed' },
} as const;

function brakeGoal(work: Work, owner: Owner, act: Extract<OwnerAct, { type: keyof typeof brakes }>): Result | Refused {
  const brake = brakes[act.type];
  const known = findGoal(work.state, act.goal);
  if ('refusal' in known) return known;
  if (known.status === brake.status)
    return { goal: known.goal, repeat: `goal ${known.goal} is ${known.status} already` };
  const goal = liveGoal(work, act.goal);
  if ('refusal' in goal) return goal;
  if (act.type === 'goal.resume') {
    const low = tooLow(work, owner, `\`loopx goal resume --goal ${goal.goal}\` in a terminal`);
    if (low) return low;
  }
  work.emit({ type: brake.event, goal: goal.goal, ...(act.words !== undefined && { words: act.words }) });
  tellGoal(work, goal.goal, `The owner ${brake.words} goal ${goal.goal}.${act.words ? ` They say: ${act.words}` : ''}`);
  return { goal: goal.goal };
}

function liveGoal(work: Work, name: string): Goal | Refused {
  const goal = findGoal(work.state, name);
  if ('refusal' in goal) return goal;
  if (goal.status === 'done' || goal.status === 'stopped') {
    return braked(work, goal, {
      decision: 'stop',
      code: `goal-${goal.status}`,
      why: `Goal ${goal.goal} is ${goal.status}; start another.`,
    });
  }
  return goal;
}

function lesson(work: Work, act: Extract<OwnerAct, { type: 'goal.lesson' }>): Result | Refused {
  const goal = findGoal(work.state, act.goal);
  if ('refusal' in goal) return goal;
  const text = act.text.trim();
  if (text === '') return badArgument('text', 'text is the lesson, e.g. "Run the linter before you write back".');
  if (goal.lessons.some((known) => known.text === text))
    return { goal: goal.goal, repeat: 'that lesson is kept already' };
  work.emit({ type: 'goal.lesson-given', goal: goal.goal, text });
  return { goal: goal.goal };
}

function acceptEvidence(
  work: Work,
  owner: Owner,
  act: Extract<OwnerAct, { type: 'evidence.accept' }>,
): Result | Refused {
  const evidence = findEvidence(work.state, act.evidence);
  if ('refusal' in evidence) return evidence;
  const low = tooLow(work, owner, 'the command line in a terminal');
  if (low) return low;
  if (evidence.acceptedBy !== undefined)
    return { goal: evidence.goal, evidence: [evidence.evidence], repeat: `${evidence.evidence} is accepted already` };
  work.emit({ type: 'evidence.accepted', evidence: evidence.evidence, name: owner.name });
  return { goal: evidence.goal, evidence: [evidence.evidence] };
}

/** The first key needs a confirmed owner; another in its place needs the old key's signature over the new one. */
function setKey(work: Work, owner: Owner, publicKey: string): Result | Refused {
  if (publicKey === work.state.owner.publicKey) return { repeat: 'that key is set already' };
  if (work.state.owner.publicKey === undefined) {
    const low = tooLow(work, owner, '`loopx owner init` in a terminal');
    if (low) return low;
  } else {
    const forged = badSignature(work, owner, `owner key ${work.state.log} ${publicKey}`);
    if (forged) return forged;
  }
  work.emit({ type: 'owner.key-set', publicKey });
  return {};
}

function setMinGrade(work: Work, owner: Owner, minGrade: AnswerGrade): Result | Refused {
  if (work.state.owner.minGrade === minGrade) return { repeat: `the grade is ${minGrade} already` };
  const low = tooLow(work, owner, '`loopx owner grade` in a terminal');
  if (low) return low;
  const forged =
    owner.grade === 'signed'
      ? badSignature(work, owner, `min grade ${work.state.log} ${minGrade} ${owner.signedAt ?? ''}`)
      : undefined;
  if (forged) return forged;
  if (minGrade === 'signed' && work.state.owner.publicKey === undefined) {
    return refuse('not-allowed', 'No owner key is set, so nobody could sign; run `loopx owner init` first.', {
      needed: 'owner key',
    });
  }
  work.emit({ type: 'owner.min-grade-set', minGrade });
  return {};
}

/** Tells everybody who works on the goal that the owner changed it. */
function tellGoal(work: Work, goal: string, text: string): void {
  for (const agent of work.state.agents.keys()) {
    if (work.state.turns.has(`${goal}/${agent}`)) work.notify(agent, { code: 'owner-changed-goal', text });
  }
}
