import type { Facts } from './facts.ts';
import type { AuditCommit, Raw } from './read-log.ts';

/** Events that only the owner brings about, by the owner's channels; the last ones at whatever grade. */
const ofOwner = /^(gate\.(answered|withdrawn|lifted)|goal\.(amended|resumed|done)|owner\.|evidence\.accepted)/;
const ofOwnerFree = /^goal\.(paused|stopped|lesson-given)$/;
const channels = ['prompt', 'elicitation', 'cli', 'dashboard'];
const grades = ['prompt', 'confirmed', 'signed'];

export function isGradeEnough(grade: string, needed: string): boolean {
  return grades.indexOf(grade) >= grades.indexOf(needed);
}

/** Notes that an event says something which the facts before it forbid. */
export function breach(facts: Facts, event: Raw, shown: string, rule: string): void {
  const { todo, gate, evidence, goal, handoff } = event;
  const thing = gate ?? todo ?? evidence ?? handoff ?? goal ?? '';
  facts.breaches.push({ version: facts.version, fact: `${event.type} ${thing}`.trim(), shown, rule });
}

/** What holds of a whole commit: time does not go back, and the owner's acts come from the owner. */
export function checkCommit(facts: Facts, commit: AuditCommit): void {
  const { version, at, by, events } = commit;
  const tell = (fact: string, shown: string, rule: string) => facts.breaches.push({ version, fact, shown, rule });
  if (!(Date.parse(at) >= facts.at)) tell('time', at, `the commit before is of ${new Date(facts.at).toISOString()}`);
  for (const { type } of events) {
    const isFree = ofOwnerFree.test(type);
    if (!isFree && !ofOwner.test(type)) continue;
    if (typeof by?.owner !== 'string' || !channels.includes(by.channel)) {
      tell(type, `by ${by?.agent}`, 'only the owner does that');
    } else if (!isFree && type !== 'owner.key-set' && !isGradeEnough(by.grade, facts.owner.minGrade)) {
      tell(type, `grade ${by.grade}`, `it needed ${facts.owner.minGrade}`);
    }
  }
}
