import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type Figure, timed } from './compare.ts';
import { beginWork, note, Workspace } from './workspace.ts';

async function connect(args: readonly string[], cwd: string): Promise<Client> {
  const client = new Client({ name: 'bench', version: '1.0.0' });
  const env = { PATH: process.env.PATH ?? '', HOME: join(cwd, 'home'), LOOPX_AGENT: 'ann' };
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [...args], cwd, env }));
  return client;
}

/** The same commit through MCP, beside what it takes in process and one and a half round trips of a tool that echoes. */
export async function commitOverStdio(): Promise<readonly Figure[]> {
  const served = new Workspace();
  const server = await connect([process.env.LOOPX_BENCH_MAIN ?? '', 'serve'], served.root);
  const echo = await connect([join(import.meta.dirname, 'echo-server.mjs')], served.root);
  const call = async (client: Client, name: string, args: { readonly [name: string]: unknown }) => {
    const result = await client.callTool({ name, arguments: args });
    if (result.isError) throw new Error(`${name}: ${JSON.stringify(result.content)}`);
  };
  await call(server, 'goal_start', { objective: 'measure', todos: [{ title: 'measured' }] });
  await call(server, 'todo_claim', { todo: 'T1' });
  const workspace = new Workspace();
  const plane = await workspace.open('ann');
  const todo = await beginWork(plane);
  const text = 'Half of the fixtures are read now.';
  return [
    {
      name: 'a commit through MCP over stdio',
      unit: 'ms',
      ours: {
        name: 'todo_update with a note, over stdio',
        measure: () => timed(() => call(server, 'todo_update', { todo: 'T1', note: text })),
      },
      beside: {
        name: 'the same in process + 1.5 × the round trip of an echo tool',
        measure: async () =>
          (await timed(() => note(plane, todo))) + 1.5 * (await timed(() => call(echo, 'echo', { text }))),
      },
      rounds: 500,
      warmUps: 200,
      aim: { atMost: 1 },
    },
  ];
}
