import { gateText, subjectOf } from '../../prompts/gate-text.ts';
import type { SeenGate } from '../../prompts/seen.ts';
import type { Answer } from '../../state/answer.ts';
import type { ControlPlane } from '../../state/control-plane.ts';
import { signedText } from '../../state/kernel/gate-subject.ts';
import { badArgument } from '../../state/kernel/refusal.ts';
import { refusedAnswer } from '../../tools/call-tool.ts';
import { askPerson } from '../ask-person.ts';
import type { CliCall } from '../cli-call.ts';
import { keyFileOf, logIdOf, notDone, ownerAs, signedOwner, textFlag, withKey } from '../owner-act.ts';
import { asAsked, readGate } from './read-gate.ts';

/** The gate as answers show it, as far as it is needed here; texts of a gate come whole. */
type ShownGate = SeenGate & { readonly needsGrade: string };

/** The owner's answer from the command line: typed on the terminal after the question was shown, or signed. */
export async function answerGate(
  call: CliCall,
  plane: ControlPlane,
  id: string,
  meant: string | undefined,
  flags: { readonly [name: string]: unknown },
): Promise<Answer> {
  const found = await readGate(call, plane, id);
  if (!found.ok) return found;
  const gate = found.gate as ShownGate;
  const keys = gate.options.map(({ key }) => key);
  const option = meant?.trim().toLowerCase();
  if (option !== undefined && !keys.includes(option)) return noOption(gate, keys, option);
  const words = textFlag(flags.note);
  const act = (key: string) =>
    ({ type: 'gate.answer', gate: gate.gate, option: key, ...(words !== undefined && { words }) }) as const;
  const { idempotencyKey } = call.common;
  // A gate that is answered or gone has the same reply for everybody, and nobody needs to be asked for it.
  if (gate.state !== 'open') return plane.own(act(option ?? ''), ownerAs(call, 'prompt'), idempotencyKey);
  if (flags.sign === true) {
    if (option === undefined) return noOption(gate, keys, '');
    const log = await logIdOf(plane, call);
    return withKey(async () => {
      const owner = signedOwner(call, keyFileOf(call, flags), (at) => signedText(log, asAsked(gate), option, at));
      return plane.own(act(option), owner, idempotencyKey);
    });
  }
  const stays = `${gate.gate} stays open`;
  if (gate.needsGrade === 'signed') return notDone('it needs a signed answer (--sign)', stays, { needed: 'signed' });
  const wanted = option === undefined ? keys : [option];
  const said = await askPerson(
    call.env,
    gateText(gate),
    `Type ${wanted.join(' or ')} to answer; anything else leaves it open:`,
  );
  if ('why' in said) return notDone(said.why, stays, { gate: gate.gate });
  const typed = said.typed.toLowerCase();
  if (!wanted.includes(typed)) return notDone(`${wanted.join(' or ')} was not typed`, stays, { gate: gate.gate });
  // The question may have stood on the screen for long: what was shown must still be what is asked.
  const now = await readGate(call, plane, gate.gate);
  if (!now.ok) return now;
  if (subjectOf(now.gate as SeenGate) !== subjectOf(gate))
    return notDone('the question changed while it was shown', stays, { gate: gate.gate });
  return plane.own(act(typed), ownerAs(call, 'confirmed'), idempotencyKey);
}

function noOption(gate: SeenGate, keys: readonly string[], option: string): Answer {
  const text = `${gate.gate} has the options ${keys.join(', ')}; ${option === '' ? 'name one' : `"${option}" is none of them`}.`;
  return refusedAnswer(badArgument('option', text).refusal);
}
