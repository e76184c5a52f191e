import type { OkAnswer } from '../../state/answer.ts';
import { withFoot } from './answer-text.ts';
import { plain } from './plain.ts';

interface Decision {
  readonly decision: string;
  readonly code: string;
  readonly why: string;
  readonly todo?: { readonly todo: string; readonly title: string; readonly detail?: string };
  readonly claim?: { readonly token: number; readonly expiresAt: string };
  readonly notify?: { readonly owner: boolean; readonly text?: string };
  readonly next?: { readonly checkInS?: number };
}

/** What to do now, in a few lines. */
export function decisionText(answer: OkAnswer): string {
  const { decision, code, why, todo, claim, notify, next } = answer as unknown as Decision;
  const lines = [
    `${decision} (${code}): ${why}`,
    ...(todo === undefined ? [] : [`${todo.todo} ${todo.title}`, ...(todo.detail ? [`  ${todo.detail}`] : [])]),
    ...(claim === undefined ? [] : [`claimed with token ${claim.token} until ${claim.expiresAt}`]),
    ...(notify?.owner ? [`tell the owner: ${notify.text ?? ''}`] : []),
    ...(decision === 'run' || next?.checkInS === undefined ? [] : [`ask again in ${next.checkInS} s`]),
  ];
  return withFoot(plain(lines.join('\n')), answer);
}
