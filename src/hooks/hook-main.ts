import { type HookHost, hookEvents, isHookEvent } from './hook-call.ts';
import { runHook } from './run-hook.ts';

const hosts: readonly string[] = ['claude-code', 'codex', 'cursor'] satisfies readonly HookHost[];
const stdinBytesMax = 16 * 1024 * 1024;

/**
 * `loopx hook <event> [--host name]`: the host's JSON on stdin, its answer on stdout. It always ends with 0, since hosts
 * take other codes as a no to what they were about to do.
 * @param args what stands after `hook`
 */
export async function hookMain(args: readonly string[]): Promise<void> {
  const [event, flag, host] = args;
  const isHost = flag === undefined || (flag === '--host' && hosts.includes(host ?? ''));
  if (!isHookEvent(event) || !isHost || process.stdin.isTTY) {
    console.error(
      `Usage: loopx hook ${hookEvents.join('|')} [--host ${hosts.join('|')}], with the host's JSON on stdin.`,
    );
    return;
  }
  process.stdout.on('error', () => process.exit(0));
  const said = await runHook({ event, host: host as HookHost | undefined, env: process.env }, await readStdin());
  if (said !== '') process.stdout.write(`${said}\n`);
}

async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of process.stdin) {
      size += (chunk as Buffer).length;
      if (size > stdinBytesMax) return '';
      chunks.push(chunk as Buffer);
    }
  } catch {
    return '';
  }
  return Buffer.concat(chunks).toString('utf8');
}
