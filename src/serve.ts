import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { LineInput } from './host/line-input.ts';
import { OpenRequests } from './host/open-requests.ts';
import { PendingForms } from './host/pending-forms.ts';
import { guardStdout } from './host/stdout-guard.ts';
import { type FoundWorkspace, PlaneProvider } from './plane-provider.ts';
import { Subscriptions } from './resources/subscriptions.ts';
import { buildServer } from './server.ts';
import type { ControlPlane } from './state/control-plane.ts';

/** Far over any sensible message, far under what hurts: a call's commit may be 256 KiB. */
const lineBytesMax = 16 * 1024 * 1024;
/** From the end of stdin: how long answers under way may take, and when the process is gone whatever happens. */
const answerMsMax = 600;
const exitMsMax = 850;

/**
 * Serves MCP on stdin and stdout until the host closes them or signals, then ends the process.
 * @param args what follows `serve` on the command line: nothing, or `--workspace FOLDER`
 */
export function serve(args: readonly string[], open = openPlane): void {
  const output = guardStdout();
  const complain = (text: string) => console.error(`loopx: ${text}`);
  const workspace = workspaceOf(args);
  if (workspace === false) {
    complain(`serve takes only --workspace FOLDER, not ${args.join(' ')}`);
    process.exit(2);
  }
  const env = process.env;
  const pending = new PendingForms();
  const subscriptions = new Subscriptions();
  const provider = new PlaneProvider({ workspace, env, open });
  const input = new LineInput(lineBytesMax, (bytes) => complain(`dropped a line of ${bytes} bytes`));
  const transport = new StdioServerTransport(input, output, { maxBufferSize: 2 * lineBytesMax });
  const connection = serveStdio(({ era }) => buildServer({ era, provider, env, pending, subscriptions }), {
    transport,
    onerror: (error) => complain(error.message),
  });
  const requests = new OpenRequests();
  requests.attach(transport);
  const deliver = transport.onmessage;
  transport.onmessage = (message) => {
    subscriptions.overhear(message, () => provider.open(async () => []));
    deliver?.(message);
  };

  let isEnding = false;
  const end = async (patienceMs: number) => {
    if (isEnding) return;
    isEnding = true;
    setTimeout(() => process.exit(0), exitMsMax);
    try {
      await requests.whenAnswered(patienceMs);
      await Promise.all([connection.close(), provider.close()]);
    } catch (error) {
      complain(String(error));
    }
    process.exit(0);
  };

  const { onclose } = transport;
  transport.onclose = () => {
    onclose?.();
    void end(0);
  };
  process.stdin.on('end', () => void end(answerMsMax));
  process.stdin.on('error', () => void end(0));
  process.stdin.pipe(input, { end: false });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(0));
  process.on('unhandledRejection', (error) => complain(`unhandled: ${String(error)}`));
}

/** The folder named on the command line, undefined where none is, false where something else stands there. */
function workspaceOf(args: readonly string[]): string | undefined | false {
  const [first, second] = args;
  if (first === undefined) return undefined;
  if (first === '--workspace' && second !== undefined && args.length === 2) return second;
  if (first.startsWith('--workspace=') && args.length === 1) return first.slice('--workspace='.length);
  return false;
}

/** The control plane is imported at the first call: an answer to `initialize` must not wait for it. */
async function openPlane(workspace: FoundWorkspace): Promise<ControlPlane> {
  const { openControlPlane } = await import('./state/open-control-plane.ts');
  return openControlPlane({ ...workspace, env: process.env });
}
