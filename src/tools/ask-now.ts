import type { InputRequiredResult } from '@modelcontextprotocol/server';
import type { OwnerForms } from '../host/owner-forms.ts';
import { gateText, subjectOf } from '../prompts/gate-text.ts';
import { type SeenGate, seeGate } from '../prompts/seen.ts';
import type { Answer, Caller, OkAnswer } from '../state/answer.ts';
import type { ControlPlane } from '../state/control-plane.ts';

/** A tool call is never held up longer than this for a person. */
const answerMsMax = 45_000;

/** The first round's answer, kept while the host shows the form: the gate must not be asked twice. */
export function answerBefore(forms: OwnerForms): OkAnswer | undefined {
  return forms.carried as OkAnswer | undefined;
}

/**
 * gate_ask with askNow: shows the owner the gate that was just asked, and records the answer if one is given at once.
 * Whatever else happens leaves the gate open and the answer to the tool as it was.
 */
export async function askNow(
  asked: Answer,
  forms: OwnerForms,
  plane: ControlPlane,
  observer: Caller,
  owner: string,
): Promise<Answer | InputRequiredResult> {
  if (!asked.ok || !forms.canShow || forms.unattended !== undefined) return asked;
  const gate = await seeGate(plane, observer, (asked.gate as SeenGate).gate);
  if (gate === undefined || gate.state !== 'open') return asked;
  const form = await forms.ask({
    subject: subjectOf(gate),
    message: gateText(gate),
    options: gate.options.map(({ key }) => key),
    answerMsMax,
    carried: asked,
  });
  if (form.outcome === 'asking') return form.request;
  if (form.outcome === 'open') return asked;
  const now = await seeGate(plane, observer, gate.gate);
  if (now === undefined || subjectOf(now) !== subjectOf(gate)) return asked;
  const answered = await plane.own(
    {
      type: 'gate.answer',
      gate: gate.gate,
      option: form.option,
      words: form.note,
      ...(gate.revision !== undefined && { revision: gate.revision }),
    },
    { name: owner, channel: 'elicitation', grade: 'confirmed' },
  );
  if (!answered.ok) return asked;
  const { howToAnswer, ...rest } = asked;
  const closed = answered.gate as SeenGate;
  return { ...rest, version: answered.version, gate: closed, answer: closed.answer };
}
