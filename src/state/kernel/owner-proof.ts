import type { Actor } from './commands.ts';
import type { AnswerGrade, Gate } from './model.ts';
import { call, type Refused, refuse } from './refusal.ts';
import type { Work } from './work.ts';

export type Owner = Extract<Actor, { kind: 'owner' }>;

const grades: readonly AnswerGrade[] = ['prompt', 'confirmed', 'signed'];

/** The grade that an act of the owner needs: the workspace's, or the gate's if that is higher. */
export function neededGrade(minGrade: AnswerGrade, gate?: Gate): AnswerGrade {
  const own = gate?.minGrade ?? 'prompt';
  return grades.indexOf(own) > grades.indexOf(minGrade) ? own : minGrade;
}

/** The refusal where the channel's word is not enough; `how` names one that is. */
export function tooLow(work: Work, owner: Owner, how: string, gate?: Gate): Refused | undefined {
  const needed = neededGrade(work.before.owner.minGrade, gate);
  if (grades.indexOf(owner.grade) >= grades.indexOf(needed)) return undefined;
  return refuse(
    'not-allowed',
    `This needs the owner's word with grade ${needed}, and this channel gives ${owner.grade}. Use ${how}.`,
    { needed, grade: owner.grade },
    call('goal_status', { view: 'gates' }, 'how the owner answers'),
  );
}

/** The refusal where the owner key's signature is not good for this text. */
export function badSignature(work: Work, owner: Owner, text: string): Refused | undefined {
  const key = work.before.owner.publicKey;
  if (key === undefined)
    return refuse(
      'not-allowed',
      'No owner key is set in this workspace, so nothing can be signed; run `loopx owner init`.',
      { needed: 'owner key' },
    );
  if (owner.signature !== undefined && work.crypto.verify(key, text, owner.signature)) return undefined;
  return refuse(
    'not-allowed',
    'The signature does not fit this act, its gate and revision; sign again what `loopx gate show` prints.',
    { field: 'signature' },
  );
}
