import type { OwnerAct } from './commands.ts';
import { findEvidence } from './find.ts';
import { signedActText } from './gate-subject.ts';
import type { AnswerGrade } from './model.ts';
import { answerGate, endGate } from './owner-gate.ts';
import { amend, brakeGoal, lesson } from './owner-goal.ts';
import { badSignature, type Owner, tooLow } from './owner-proof.ts';
import { type Refused, refuse } from './refusal.ts';
import type { Result } from './state.ts';
import type { Work } from './work.ts';

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
