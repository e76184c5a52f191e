import type { Facts, GateFacts } from './facts.ts';
import { breach, isGradeEnough } from './laws.ts';
import type { AuditCommit, Raw } from './read-log.ts';
import { isAnswerSigned, subjectDigest } from './signature.ts';

const stateAfter: { readonly [type: string]: string } = {
  'gate.answered': 'answered',
  'gate.reopened': 'open',
  'gate.withdrawn': 'withdrawn',
  'gate.lifted': 'withdrawn',
  'gate.superseded': 'superseded',
};

/** What an event says of a gate; answers whether it is about one. */
export function deriveGate(facts: Facts, event: Raw, commit: AuditCommit): boolean {
  if (!String(event.type).startsWith('gate.')) return false;
  if (event.type === 'gate.asked') {
    if (facts.gates.has(event.gate)) breach(facts, event, 'asked again', 'an id is given once');
    const { goal, asked } = event;
    const digest = asked.subjectDigest;
    const gate = { goal, asked, state: 'open', revision: 1, digest, answer: undefined, version: commit.version };
    facts.gates.set(event.gate, gate);
    checkDigest(facts, gate, event);
    return true;
  }
  const gate = facts.gates.get(event.gate);
  if (!gate) {
    breach(facts, event, 'gate', 'there is no such gate');
    return true;
  }
  if (event.type === 'gate.answered') answer(facts, gate, event, commit);
  if (event.type === 'gate.reopened') {
    Object.assign(gate, { revision: gate.revision + 1, digest: event.subjectDigest, answer: undefined });
    checkDigest(facts, gate, event);
  }
  gate.state = stateAfter[event.type] ?? gate.state;
  gate.version = commit.version;
  return true;
}

/** An answer is the owner's, to an open gate, one of its options, with a grade that is high enough and proven. */
function answer(facts: Facts, gate: GateFacts, event: Raw, commit: AuditCommit): void {
  const { option, effect, channel, grade } = event.answer;
  const offered = gate.asked.options.find((one: Raw) => one.key === option);
  if (gate.state !== 'open') breach(facts, event, option, `the gate was ${gate.state}`);
  if (offered?.effect !== effect) breach(facts, event, `${option} (${effect})`, 'the gate has no such option');
  if (commit.by?.channel !== channel || commit.by?.grade !== grade)
    breach(facts, event, `${channel}, ${grade}`, `the commit came by ${commit.by?.channel}, ${commit.by?.grade}`);
  if (!isGradeEnough(grade, facts.owner.minGrade) || !isGradeEnough(grade, gate.asked.minGrade ?? 'prompt'))
    breach(facts, event, `grade ${grade}`, `it needed ${gate.asked.minGrade ?? facts.owner.minGrade}`);
  if (grade === 'signed' || event.signature !== undefined) {
    const isGood = isAnswerSigned(facts, event.gate, gate, event);
    facts.signatures.checked++;
    if (isGood) facts.signatures.good++;
    else if (grade === 'signed') breach(facts, event, 'signed', "the signature is not the owner's under this answer");
  }
  gate.answer = { ...event.answer, at: facts.at };
}

function checkDigest(facts: Facts, gate: GateFacts, event: Raw): void {
  const digest = subjectDigest(facts, gate);
  if (gate.digest !== digest) breach(facts, event, `digest ${gate.digest}`, `what it is about digests to ${digest}`);
}
