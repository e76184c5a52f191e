import type { SeenGate } from './seen.ts';

/** The exact question with what each option brings about; what the agent says of it stands below, as its words. */
export function gateText(gate: SeenGate): string {
  const lines = [`${gate.gate} (revision ${gate.revision ?? 1}, goal ${gate.goal})`, gate.question, ''];
  if (gate.changes !== undefined)
    lines.push('What exactly would change:', ...gate.changes.map((line) => `- ${line}`), '');
  for (const { key, label, consequence } of gate.options) {
    lines.push(`${key}: ${label}${consequence ? ` (${consequence})` : ''}`);
  }
  const asker = gate.askedBy ?? 'the agent';
  if (gate.context) lines.push('', `${asker} adds: ${gate.context}`);
  if (gate.recommend) lines.push('', `${asker} recommends: ${gate.recommend}`);
  return lines.join('\n');
}

/** Ways of the owner that need nothing of this host. */
export function otherWays(gate: SeenGate, option?: string): string {
  const key = option ?? gate.options[0]?.key ?? 'yes';
  return `Answer it in a terminal: \`loopx gate answer ${gate.gate} ${key}\`.`;
}

/** Everything that would make it another question: a form that shows one subject does not answer another. */
export function subjectOf(gate: SeenGate): string {
  return `${gate.gate} ${gate.revision ?? 1} ${gate.subjectDigest ?? ''}`;
}
