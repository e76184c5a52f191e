import { join } from 'node:path';
import type { Commit } from '../../state/log/commit-log.ts';
import { StoreError } from '../../state/log/commit-log.ts';
import { SegmentReader } from '../../state/log/segment-reader.ts';
import type { CliCall } from '../cli-call.ts';
import { exitCodes } from '../exit-code.ts';

/**
 * Prints every commit as a line of JSON. A damaged log is exported up to the damage, which is then named on stderr:
 * what can be saved is saved, so the reader is asked directly and not the control plane, which refuses such a log.
 */
export async function exportLog(call: CliCall, flags: { readonly [name: string]: unknown }): Promise<void> {
  const place = call.findWorkspace();
  if (!place.ok) {
    call.print(await call.answered(async () => ({ ok: true, version: 0 })));
    return;
  }
  const after = Number(flags.after ?? 0);
  const reader = new SegmentReader(join(place.stateDir, 'log'), () => true);
  let pending: string[] = [];
  try {
    reader.read((commit: Commit) => {
      if (commit.version > after) pending.push(JSON.stringify(commit));
      if (pending.length < 1_000) return;
      call.line(pending.join('\n'));
      pending = [];
    });
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    call.complain(`loopx: ${error.message} [${error.code}] What is good before it was exported.`);
    call.exitCode = exitCodes.storeTrouble;
  } finally {
    reader.close();
  }
  if (pending.length > 0) call.line(pending.join('\n'));
}
