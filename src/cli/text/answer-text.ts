import type { OkAnswer } from '../../state/answer.ts';
import { outline } from './outline.ts';
import { plain } from './plain.ts';

/** Any answer for people, where nothing fits it better. */
export function showAnswer(answer: OkAnswer): string {
  return withFoot(outline(answer), answer);
}

/** The text, what concerns the agent, and the line that says what the answer is true of. */
export function withFoot(text: string, { version, you, notices }: OkAnswer): string {
  const told = (notices ?? []).map((notice) => `! ${notice.code}: ${plain(notice.text)}`);
  const foot = `(version ${version}${you === undefined || you === '' ? '' : `, you are ${you}`})`;
  return [text, ...told, foot].filter((part) => part !== '').join('\n');
}
