import { spawn } from 'node:child_process';

const messages = [
  {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'package', version: '1' } },
  },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
  { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'goal_start', arguments: { objective: 'Try it' } } },
];

/** Starts a goal over a server's stdio as a host would, and answers what the tool answered and how the server ended. */
export async function startGoalOver(
  command: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: Record<string, string> },
): Promise<{ readonly answer: unknown; readonly code: number | null }> {
  const server = spawn(command, args, { ...options, stdio: ['pipe', 'pipe', 'inherit'] });
  let said = '';
  let answer: unknown;
  server.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    const lines = said.split('\n');
    said = lines.pop() ?? '';
    for (const line of lines) {
      const { id, result } = JSON.parse(line);
      if (id !== 2) continue;
      answer = result.structuredContent;
      server.stdin.end();
    }
  });
  for (const message of messages) server.stdin.write(`${JSON.stringify(message)}\n`);
  const code = await new Promise<number | null>((resolve) => {
    server.once('exit', resolve);
  });
  return { answer, code };
}
