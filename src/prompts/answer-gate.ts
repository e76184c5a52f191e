import type { Prompt, PromptOutcome, PromptRoom } from './define-prompt.ts';
import { gateText, otherWays, subjectOf } from './gate-text.ts';
import { firstWord, joined } from './given.ts';
import { type SeenGate, seeGate, seeOpenGates } from './seen.ts';

export const answerGate: Prompt = {
  name: 'answer_gate',
  title: 'Answer a gate',
  description: "The owner's answer to an agent's question; shows the open ones without a gate.",
  does: 'change',
  arguments: [
    {
      name: 'gate',
      description: 'G1, G2 …',
      complete: async (plane, caller) => (await seeOpenGates(plane, caller)).map(({ gate }) => gate),
    },
    {
      name: 'answer',
      description: "An option's key; the form that follows decides",
      complete: async (plane, caller, given) => {
        const gate = await seeGate(plane, caller, firstWord(given.gate ?? '').first.toUpperCase());
        return gate?.options.map(({ key }) => key) ?? [];
      },
    },
    { name: 'note', description: 'Your words, kept with the answer' },
  ],
  run: async (given, room) => {
    const { first, rest } = firstWord(given.gate ?? '');
    const gate = first === '' ? undefined : await seeGate(room.plane, room.caller, first.toUpperCase());
    if (gate === undefined) return openGatesText(first, await seeOpenGates(room.plane, room.caller));
    const meant = meantBy(gate, joined(rest, given.answer), given.note ?? '');
    return gate.state === 'open' ? answerOpen(gate, meant, room) : alreadyText(gate, meant.option);
  },
};

interface SeenTodo {
  readonly todo: string;
  readonly title: string;
  readonly holder?: string;
  readonly standing?: string;
}

interface Meant {
  readonly option: string | undefined;
  readonly note: string;
}

/** The option and note in what was typed: a whole key or label, or a key and then words. */
function meantBy(gate: SeenGate, text: string, note: string): Meant {
  const named = (name: string) =>
    gate.options.find(({ key, label }) => [key, label].some((word) => word.toLowerCase() === name.toLowerCase()))?.key;
  const whole = named(text);
  if (whole !== undefined) return { option: whole, note };
  const { first, rest } = firstWord(text);
  return { option: named(first.replace(/[,.;:!]+$/, '')), note: joined(rest, note) };
}

async function answerOpen(gate: SeenGate, meant: Meant, room: PromptRoom): Promise<PromptOutcome> {
  if (!room.forms.canShow || room.forms.unattended !== undefined) return answerWithoutForm(gate, meant, room);
  const asked = await room.forms.ask({
    subject: subjectOf(gate),
    message: gateText(gate),
    options: gate.options.map(({ key }) => key),
  });
  if (asked.outcome === 'asking') return asked.request;
  if (asked.outcome === 'open') return stillOpenText(gate, asked.why, meant.option);
  // A form may stand for an hour: what it showed must still be what is asked.
  const now = await seeGate(room.plane, room.caller, gate.gate);
  if (now === undefined || subjectOf(now) !== subjectOf(gate)) {
    return stillOpenText(gate, 'the question changed while the form was open', meant.option);
  }
  return record(gate, asked.option, asked.note === '' ? meant.note : asked.note, 'confirmed', room);
}

/** A host that shows no forms: what was typed is the answer, with the lowest grade. */
async function answerWithoutForm(gate: SeenGate, meant: Meant, room: PromptRoom): Promise<string> {
  const { unattended } = room.forms;
  if (unattended !== undefined) return stillOpenText(gate, unattended, meant.option);
  if (meant.option === undefined)
    return `${gateText(gate)}\n\n${stillOpenText(gate, 'no option was named', undefined)}`;
  return record(gate, meant.option, meant.note, 'prompt', room);
}

async function record(
  gate: SeenGate,
  option: string,
  words: string,
  grade: 'prompt' | 'confirmed',
  { plane, caller, owner }: PromptRoom,
): Promise<string> {
  const { revision } = gate;
  const act = {
    type: 'gate.answer',
    gate: gate.gate,
    option,
    words,
    ...(revision !== undefined && { revision }),
  } as const;
  const answer = await plane.own(act, { ...owner, channel: 'prompt', grade });
  if (!answer.ok) return stillOpenText(gate, answer.message, option);
  const label = gate.options.find(({ key }) => key === option)?.label ?? option;
  const said = words === '' ? '' : `\nThe owner says: ${words}`;
  return `The owner answered ${gate.gate} "${gate.question}": ${label} (${option}).${said}\n\n${await whatNow(gate, plane, caller)}`;
}

/** What became runnable is for the agent to take up at once; what the gate held under a claim is its holder's. */
async function whatNow(gate: SeenGate, plane: PromptRoom['plane'], caller: PromptRoom['caller']): Promise<string> {
  const status = await plane.query({ type: 'goal.status', goal: gate.goal }, caller);
  const listOf = (list: unknown) => (status.ok && Array.isArray(list) ? list : []) as SeenTodo[];
  const released = listOf(status.claims).filter(({ todo }) => gate.blocks?.todos.includes(todo));
  const next = [
    ...released.map(({ todo, title, holder, standing }) => `- ${todo} ${title} (claimed by ${holder}, ${standing})`),
    ...listOf(status.top).map(({ todo, title }) => `- ${todo} ${title}`),
  ].join('\n');
  return `${next === '' ? 'Nothing new is runnable.' : `Runnable now:\n${next}`}\nGo on with quota_should_run {"claim": true}.`;
}

function stillOpenText(gate: SeenGate, why: string, option: string | undefined): string {
  return `${gate.gate} stays open: ${why.replace(/\.$/, '')}. ${otherWays(gate, option)}`;
}

function alreadyText(gate: SeenGate, option: string | undefined): string {
  if (gate.answer === undefined) return `${gate.gate} is ${gate.state}; there is nothing to answer.`;
  const stands = `${gate.gate} is already answered: ${gate.answer.option}${gate.answer.words ? ` ("${gate.answer.words}")` : ''}.`;
  const isOther = option !== undefined && option !== gate.answer.option;
  return `${stands} ${isOther ? `An answer is not changed by another, so "${option}" was not recorded.` : 'Nothing was changed.'}`;
}

function openGatesText(named: string, gates: readonly SeenGate[]): string {
  const unknown = named === '' ? '' : `There is no gate ${named}. `;
  if (gates.length === 0) return `${unknown}No gate is open; nothing waits for the owner.`;
  const list = gates.map((gate) => `${gateText(gate)}\n${otherWays(gate)}`).join('\n\n');
  return `${unknown}Open gates:\n\n${list}\n\nOr call this prompt with a gate, e.g. answer_gate ${gates[0]?.gate}.`;
}
