import { seeGoals } from '../../prompts/seen.ts';
import type { Answer } from '../../state/answer.ts';
import type { ControlPlane } from '../../state/control-plane.ts';
import { refusedAnswer } from '../../tools/call-tool.ts';
import type { CliCall } from '../cli-call.ts';
import { textFlag } from '../owner-act.ts';
import { plain } from '../text/plain.ts';
import { showRefusal } from '../text/refusal-text.ts';

/** Commits that come together are drawn once. */
const settleMs = 50;

/** Prints the board of each goal that goes on, and again with every change, until the person stops it. */
export async function watch(call: CliCall, flags: { readonly [name: string]: unknown }): Promise<void> {
  const opened = await call.open();
  if ('refusal' in opened) return call.print(refusedAnswer(opened.refusal));
  const { plane } = opened;
  const goal = textFlag(flags.goal)?.toLowerCase();
  await new Promise<void>((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    let drawn = Promise.resolve();
    const draw = () => {
      drawn = drawn.then(() => show(call, plane, goal)).catch((error) => call.complain(`loopx: ${String(error)}`));
    };
    const stop = plane.watch(() => {
      clearTimeout(timer);
      timer = setTimeout(draw, settleMs);
    });
    // Nothing else keeps the process alive where the store's watch sleeps between looks.
    const alive = setInterval(() => undefined, 60_000);
    const end = () => {
      stop();
      clearInterval(alive);
      clearTimeout(timer);
      void drawn.then(resolve);
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, end);
    draw();
  });
}

async function show(call: CliCall, plane: ControlPlane, goal: string | undefined): Promise<void> {
  const boards = await boardsOf(call, plane, goal);
  if (call.common.json) return call.line(boards.map((board) => JSON.stringify(board)).join('\n'));
  const clear = process.stdout.isTTY ? '\u001b[2J\u001b[H' : '';
  const texts = boards.map((board) => (board.ok ? plain(String(board.board)) : showRefusal(board)));
  call.line(`${clear}${texts.join('\n\n')}\n${new Date().toISOString()}`);
}

async function boardsOf(call: CliCall, plane: ControlPlane, goal: string | undefined): Promise<readonly Answer[]> {
  if (goal !== undefined) return [await plane.query({ type: 'board', goal }, call.observer)];
  const goals = (await seeGoals(plane, call.observer)).filter(
    ({ status }) => status === 'active' || status === 'paused',
  );
  if (goals.length === 0) return [await plane.query({ type: 'board' }, call.observer)];
  return Promise.all(goals.map((one) => plane.query({ type: 'board', goal: one.goal }, call.observer)));
}
