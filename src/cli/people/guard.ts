import { runGuarded } from '../../guard/guarded-command.ts';
import { PresenceStore } from '../../state/presence/presence-store.ts';
import { selfIdentity } from '../../state/presence/process-identity.ts';
import type { CliCall } from '../cli-call.ts';
import { exitCodes } from '../exit-code.ts';
import { textFlag } from '../owner-act.ts';

/** loopx guard --reserve NAME -- COMMAND: ends with the command's own exit code. */
export async function guard(
  call: CliCall,
  flags: { readonly [name: string]: unknown },
  words: readonly unknown[],
): Promise<void> {
  const command = (words[0] ?? []) as readonly string[];
  const place = call.findWorkspace();
  const opened = await call.open();
  if (!place.ok || 'refusal' in opened) return call.print(await call.answered(async () => ({ ok: true, version: 0 })));
  const end = await runGuarded(
    {
      plane: opened.plane,
      presence: new PresenceStore(place.stateDir, selfIdentity()),
      caller: call.caller,
      complain: (text) => call.complain(text),
    },
    {
      resources: (flags.reserve ?? []) as readonly string[],
      mode: flags.shared === true ? 'shared' : 'exclusive',
      ttlS: Number(textFlag(flags.ttlS) ?? 60),
      command,
    },
  );
  if ('exitCode' in end) call.exitCode = end.exitCode;
  else if (end.refused.ok) call.exitCode = exitCodes.refusal;
  else call.print(end.refused);
}
