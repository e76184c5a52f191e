import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Figure, timed } from './compare.ts';
import { Workspace } from './workspace.ts';

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1.0.0' } },
};

/** From the start of the process to the first byte of its answer. */
async function firstAnswer(cwd: string): Promise<number> {
  let ended: Promise<unknown> = Promise.resolve();
  const ms = await timed(async () => {
    const server = spawn(process.execPath, [process.env.LOOPX_BENCH_MAIN ?? '', 'serve'], { cwd });
    ended = once(server, 'close');
    server.stdin.write(`${JSON.stringify(initialize)}\n`);
    await once(server.stdout, 'data');
    server.stdin.end();
  });
  await ended;
  return ms;
}

export async function coldStart(): Promise<readonly Figure[]> {
  const { root } = new Workspace();
  return [
    {
      name: 'a cold start',
      unit: 'ms',
      ours: { name: 'start of the server to the answer to initialize', measure: () => firstAnswer(root) },
      beside: {
        name: '`node -e 0` from start to end',
        measure: () => timed(() => once(spawn(process.execPath, ['-e', '0'], { cwd: root }), 'close')),
      },
      rounds: 15,
      warmUps: 2,
      aim: { atMost: 4 },
    },
  ];
}
