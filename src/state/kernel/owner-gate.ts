import type { OwnerAct } from './commands.ts';
import { isDenial } from './evolve-gate.ts';
import { findGate } from './find.ts';
import { criteriaOf } from './freshness.ts';
import { signedText } from './gate-subject.ts';
import type { Gate } from './model.ts';
import { agentsOn, tellGoal } from './owner-goal.ts';
import { badSignature, type Owner, tooLow } from './owner-proof.ts';
import { badArgument, call, type Refused, refuse } from './refusal.ts';
import { isClosed, type Result } from './state.ts';
import type { Work } from './work.ts';

/** gate answer: the owner's choice among the options, with a grade high enough; the same again is a repeat. */
export function answerGate(
  work: Work,
  owner: Owner,
  act: Extract<OwnerAct, { type: 'gate.answer' }>,
): Result | Refused {
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
  const told = gate.kind === 'completion' ? agentsOn(work, gate.goal) : new Set([gate.askedBy]);
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

/** withdraw or supersede an open gate, or lift a denial. */
export function endGate(
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
