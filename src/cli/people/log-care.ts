import { knowsEvent } from '../../state/kernel/event-types.ts';
import { StoreError } from '../../state/log/commit-log.ts';
import { repairLog } from '../../state/log/repair-log.ts';
import { verifyLog } from '../../state/log/verify-log.ts';
import type { CliCall } from '../cli-call.ts';
import { exitCodes } from '../exit-code.ts';

/** loopx log verify: walks the log from its first byte and says how it is; writes nothing. */
export async function verify(call: CliCall): Promise<void> {
  const stateDir = stateDirOf(call);
  if (stateDir === undefined) return noWorkspace(call);
  const { trouble, ...report } = verifyLog(stateDir, knowsEvent);
  if (trouble) call.exitCode = exitCodes.storeTrouble;
  if (call.common.json) {
    const problem = trouble && { code: trouble.code, message: trouble.message };
    return call.line(JSON.stringify({ ok: trouble === undefined, ...report, ...(problem && { problem }) }));
  }
  call.line(
    `${report.folder}: ${report.version} commits in ${report.segments.length} segments, ${report.inertLines} lines that count for nothing`,
  );
  if (trouble) call.complain(`loopx: ${trouble.message}`);
}

/** loopx log repair: mends a copy as far as the protocol allows, after a backup; refuses while there is nothing to mend. */
export async function repair(call: CliCall): Promise<void> {
  const stateDir = stateDirOf(call);
  if (stateDir === undefined) return noWorkspace(call);
  try {
    const mended = await repairLog(stateDir, knowsEvent);
    if (call.common.json) return call.line(JSON.stringify({ ok: true, ...(mended ?? { repaired: false }) }));
    if (!mended) return call.line('Nothing needs mending.');
    call.line(`The log was backed up to ${mended.backup} and mended: ${mended.after.version} commits are good.`);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    call.complain(`loopx: ${error.message} [${error.code}]`);
    call.exitCode = exitCodes.storeTrouble;
  }
}

function stateDirOf(call: CliCall): string | undefined {
  const place = call.findWorkspace();
  return place.ok ? place.stateDir : undefined;
}

async function noWorkspace(call: CliCall): Promise<void> {
  call.print(await call.answered(async () => ({ ok: true, version: 0 })));
}
