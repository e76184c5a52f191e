import type { ShowText } from '../cli-call.ts';
import { decisionText } from './decision-text.ts';
import { statusText } from './status-text.ts';

/** Tools whose answers people read often enough to have a text of their own. */
export const toolTexts: { readonly [tool: string]: ShowText } = {
  goal_status: statusText,
  quota_should_run: decisionText,
};
