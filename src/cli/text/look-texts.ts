import type { OkAnswer } from '../../state/answer.ts';
import { withFoot } from './answer-text.ts';
import { plain } from './plain.ts';

/** Who works here, a line each. */
export function agentsText(answer: OkAnswer): string {
  const agents = answer.agents as readonly {
    readonly agent: string;
    readonly host: string;
    readonly standing: string;
    readonly capabilities: readonly string[];
    readonly holds: readonly string[];
  }[];
  const lines = agents.map(({ agent, host, standing, capabilities, holds }) =>
    [
      `${agent}: ${standing} (${host})`,
      ...(holds.length === 0 ? [] : [`holds ${holds.join(', ')}`]),
      ...(capabilities.length === 0 ? [] : [`can ${capabilities.join(', ')}`]),
    ].join(', '),
  );
  return paged(lines, answer, 'Nobody has joined yet.');
}

/** What was done, a line a commit. */
export function historyText(answer: OkAnswer): string {
  const commits = answer.history as readonly {
    readonly version: number;
    readonly at: string;
    readonly by: string;
    readonly events: readonly { readonly type: string; readonly [field: string]: unknown }[];
  }[];
  const lines = commits.map(
    ({ version, at, by, events }) => `${version}  ${at}  ${by}  ${events.map(eventText).join(', ')}`,
  );
  return paged(lines, answer, 'Nothing fits.');
}

function eventText({ type, ...fields }: { readonly type: string; readonly [field: string]: unknown }): string {
  const id = [fields.todo, fields.gate, fields.evidence, fields.handoff, fields.agent, fields.goal]
    .map((part) => (typeof part === 'object' && part !== null ? Object.values(part)[0] : part))
    .find((part) => typeof part === 'string');
  return id === undefined ? type : `${type} ${id}`;
}

function paged(lines: readonly string[], answer: OkAnswer, nothing: string): string {
  const { shown, total, nextCursor } = answer;
  const more = nextCursor === undefined ? [] : [`${shown} of ${total} shown; go on with --cursor ${nextCursor}`];
  return withFoot(plain([...(lines.length === 0 ? [nothing] : lines), ...more].join('\n')), answer);
}

/** Why work does not go on, goal by goal. */
export function diagnosisText(answer: OkAnswer): string {
  const goals = answer.goals as readonly {
    readonly goal: string;
    readonly status: string;
    readonly attention: readonly { readonly text: string }[];
    readonly runnable: readonly string[];
    readonly running: readonly { readonly todo: string; readonly holder: string; readonly standing: string }[];
    readonly waiting: readonly {
      readonly todo: string;
      readonly title: string;
      readonly blockedBy: readonly object[];
    }[];
  }[];
  const lines = goals.flatMap(({ goal, status, attention, runnable, running, waiting }) => [
    `${goal} (${status})`,
    ...attention.map(({ text }) => `  ! ${text}`),
    `  ready: ${runnable.join(', ') || 'nothing'}`,
    ...running.map(({ todo, holder, standing }) => `  ${todo} runs: ${holder} (${standing})`),
    ...waiting.map(({ todo, title, blockedBy }) => `  ${todo} waits for ${reasons(blockedBy)}: ${title}`),
  ]);
  return withFoot(plain(lines.join('\n')), answer);
}

function reasons(blockedBy: readonly object[]): string {
  return blockedBy.map((one) => Object.values(one).join(' ')).join(', ') || 'its time';
}
