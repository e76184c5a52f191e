import type { InputRequiredResult } from '@modelcontextprotocol/server';
import type { OwnerCaller } from '../state/answer.ts';
import type { PromptRoom } from './define-prompt.ts';

/** The owner's yes to one act, with what it may be worth; or why there is none; or the form that has to go out. */
export type OwnerYes =
  | { readonly said: 'yes'; readonly note: string; readonly as: OwnerCaller }
  | { readonly said: 'nothing'; readonly why: string }
  | { readonly said: 'asking'; readonly request: InputRequiredResult };

/**
 * Asks yes or no by a form; without forms the prompt itself is the yes, with the lowest grade, and the control plane
 * says whether that is enough.
 * @param subject names the act and everything that would make it another one
 */
export async function ownerYes(room: PromptRoom, subject: string, message: string): Promise<OwnerYes> {
  const { forms, owner } = room;
  if (forms.unattended !== undefined) return { said: 'nothing', why: forms.unattended };
  if (!forms.canShow) return { said: 'yes', note: '', as: { ...owner, channel: 'prompt', grade: 'prompt' } };
  const asked = await forms.ask({ subject, message, options: ['yes', 'no'] });
  if (asked.outcome === 'asking') return { said: 'asking', request: asked.request };
  if (asked.outcome === 'open') return { said: 'nothing', why: asked.why };
  if (asked.option !== 'yes') return { said: 'nothing', why: 'the owner said no' };
  return { said: 'yes', note: asked.note, as: { ...owner, channel: 'prompt', grade: 'confirmed' } };
}
