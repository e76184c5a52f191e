import type { CliCall } from '../cli-call.ts';
import { exitCodes } from '../exit-code.ts';

/** Runs the demo, for a person at this terminal or with --yes for nobody. */
export async function demo(call: CliCall, flags: { readonly [name: string]: unknown }): Promise<void> {
  const isYes = flags.yes === true;
  if (!isYes && !process.stdin.isTTY) {
    call.complain('loopx: the demo asks a person at a terminal; where there is none, run it with --yes.');
    call.exitCode = exitCodes.usage;
    return;
  }
  const { runDemo } = await import('../../demo/run-demo.ts');
  try {
    await runDemo({ isYes, isKept: flags.keep === true, print: (text) => call.line(text) });
  } catch (error) {
    const isGitMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    call.complain(`loopx: the demo stopped: ${isGitMissing ? 'it needs git' : (error as Error).message}`);
    call.exitCode = exitCodes.refusal;
  }
}
