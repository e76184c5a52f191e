import type { Command } from 'commander';
import { seeGoals } from '../../prompts/seen.ts';
import type { Answer, OkAnswer } from '../../state/answer.ts';
import type { ControlPlane } from '../../state/control-plane.ts';
import type { AddAction } from '../add-action.ts';
import type { CliCall } from '../cli-call.ts';
import { textFlag } from '../owner-act.ts';
import { agentsText, diagnosisText, historyText } from '../text/look-texts.ts';
import { showRefusal } from '../text/refusal-text.ts';
import { statusText } from '../text/status-text.ts';
import { wholeNumber } from '../whole-number.ts';

type Flags = { readonly [name: string]: unknown };

/** What people look at. Nothing here takes a notice away from an agent or changes anything. */
export function addLookCommands(program: Command, addAction: AddAction): void {
  addAction(
    program.command('status [goal]').summary('What needs the owner, what runs, what waits').option('--goal <slug>'),
    status,
  );
  addAction(
    program.command('agents').summary('Who works here').option('--goal <slug>').option('--cursor <text>'),
    async (call, flags) => call.print(await view(call, 'agents', flags), agentsText),
  );
  addAction(
    program
      .command('history [goal]')
      .summary('What was done, newest first')
      .option('--goal <slug>')
      .option('--kind <event>', 'e.g. gate.answered, or gate for all of gates')
      .option('--by <agent>', 'only of this agent')
      .option('--from <bound>', 'a version or a time')
      .option('--to <bound>', 'a version or a time')
      .option('--limit <n>', 'how many', wholeNumber)
      .option('--cursor <text>', 'where the page before ended'),
    async (call, flags, [goal]) =>
      call.print(await view(call, 'history', { ...flags, goal: goal ?? flags.goal, agent: flags.by }), historyText),
  );
  addAction(
    program.command('diagnose').summary('Why work does not go on').option('--goal <slug>'),
    async (call, flags) => call.print(await call.answered((plane) => diagnose(call, plane, flags)), diagnosisText),
  );
}

async function status(call: CliCall, flags: Flags, [word]: readonly (string | undefined)[]): Promise<void> {
  const goal = (word ?? textFlag(flags.goal))?.toLowerCase();
  const answer = await call.answered((plane) => plane.query({ type: 'goal.status', goal }, call.observer));
  const isManyForPeople = !answer.ok && answer.code === 'goal-ambiguous' && !call.common.json;
  if (!isManyForPeople) return call.print(answer, statusText);
  for (const name of (answer.details.goals ?? []) as readonly string[]) {
    const one = await call.answered((plane) => plane.query({ type: 'goal.status', goal: name }, call.observer));
    call.line(one.ok ? `${statusText(one)}\n` : showRefusal(one));
  }
}

function view(call: CliCall, name: 'agents' | 'history', flags: Flags): Promise<Answer> {
  const { goal, kind, agent, from, to, limit, cursor } = flags as { readonly [name: string]: never };
  return call.answered((plane) =>
    plane.query({ type: 'goal.status', view: name, goal, kind, agent, from, to, limit, cursor }, call.observer),
  );
}

/** For each goal that goes on: what somebody should look at, and what holds each todo that does not run. */
async function diagnose(call: CliCall, plane: ControlPlane, flags: Flags): Promise<Answer> {
  const named = textFlag(flags.goal)?.toLowerCase();
  const isLive = (one: string) => one === 'active' || one === 'paused';
  const all = await seeGoals(plane, call.observer);
  const names = named === undefined ? all.filter((one) => isLive(one.status)).map(({ goal }) => goal) : [named];
  if (names.length === 0) return plane.query({ type: 'goal.status' }, call.observer);
  const goals: object[] = [];
  let version = 0;
  for (const goal of names) {
    const summary = await plane.query({ type: 'goal.status', goal }, call.observer);
    if (!summary.ok) return summary;
    const list = await plane.query({ type: 'goal.status', goal, view: 'todos', limit: 1_000 }, call.observer);
    if (!list.ok) return list;
    version = summary.version;
    goals.push({ goal, status: (summary.goal as { status: string }).status, ...wait(summary, list) });
  }
  return { ok: true, version, goals };
}

interface Listed {
  readonly todo: string;
  readonly title: string;
  readonly state: string;
  readonly blockedBy: readonly object[];
  readonly claim?: { readonly holder: string; readonly standing: string };
}

function wait(summary: OkAnswer, list: OkAnswer) {
  const todos = list.todos as readonly Listed[];
  const pending = todos.filter(({ state }) => state !== 'done' && state !== 'dropped');
  const waiting = pending.filter(
    ({ state, blockedBy }) => state !== 'active' && (state !== 'open' || blockedBy.length > 0),
  );
  return {
    attention: summary.attention,
    gates: summary.gates,
    budget: summary.budget,
    runnable: pending.filter((todo) => !waiting.includes(todo) && todo.state === 'open').map(({ todo }) => todo),
    running: pending.filter(({ state }) => state === 'active').map(({ todo, claim }) => ({ todo, ...claim })),
    waiting: waiting.map(({ todo, title, state, blockedBy }) => ({ todo, title, state, blockedBy })),
    shown: todos.length,
    total: list.total,
  };
}
