import { wallIso } from '../kernel/clock.ts';
import { amendmentLines, consequenceOf } from '../kernel/gate-subject.ts';
import type { Gate } from '../kernel/model.ts';
import { neededGrade } from '../kernel/owner-proof.ts';
import type { View } from '../kernel/view.ts';
import { cut } from './shape.ts';

/** A gate as every answer shows it: the exact question, and beside each option what it brings about. */
export function gateView(view: View, gate: Gate) {
  return {
    gate: gate.gate,
    goal: gate.goal,
    kind: gate.kind,
    state: gate.state,
    question: gate.question,
    options: gate.options.map((option) => ({ ...option, consequence: consequenceOf(gate, option.key) })),
    blocks: gate.blocks,
    protects: gate.protects,
    ...(gate.amendment && {
      changes: amendmentLines(view.state, gate.goal, gate.amendment),
      amendment: gate.amendment,
    }),
    ...(gate.context !== '' && { context: gate.context }),
    ...(gate.recommend !== undefined && { recommend: gate.recommend }),
    ...(gate.evidence.length > 0 && { evidence: gate.evidence }),
    needsGrade: neededGrade(view.state.owner.minGrade, gate),
    askedBy: gate.askedBy,
    askedAt: wallIso(view.state, gate.askedAt),
    revision: gate.revision,
    subjectDigest: gate.subjectDigest,
    ...(gate.answer && { answer: answerView(view, gate.answer) }),
    ...(gate.closedWhy !== undefined && { why: gate.closedWhy }),
    version: gate.version,
  };
}

function answerView(view: View, answer: NonNullable<Gate['answer']>) {
  const { at, ...rest } = answer;
  return { ...rest, at: wallIso(view.state, at) };
}

/** An open gate where only the question matters. */
export function gateLine(gate: Gate) {
  return {
    gate: gate.gate,
    question: cut(gate.question, 300),
    options: gate.options.map((option) => option.key),
    blocks: gate.blocks.goal ? ['the whole goal'] : gate.blocks.todos.slice(0, 10),
    answerWith: `loopx gate answer ${gate.gate} ${gate.options[0]?.key ?? ''}`.trim(),
  };
}

/** The owner's channels for this gate, the surest last. */
export function howToAnswer(view: View, gate: Gate): readonly { readonly channel: string; readonly do: string }[] {
  const keys = gate.options.map((option) => option.key).join('|');
  const needed = neededGrade(view.state.owner.minGrade, gate);
  const ways = [
    {
      channel: 'prompt',
      do: `the slash command answer_gate ${gate.gate} of the loopx server, e.g. /mcp__loopx__answer_gate ${gate.gate}; it shows a form`,
    },
    { channel: 'cli', do: `loopx gate answer ${gate.gate} ${keys}` },
  ];
  return needed === 'signed'
    ? [{ channel: 'cli', do: `loopx gate answer ${gate.gate} ${keys} --sign` }, ...ways.slice(0, 1)]
    : ways;
}
