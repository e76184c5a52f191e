import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

/** The built program; LOOPX_TEST_MAIN names another build of it. */
export const mainFile = process.env.LOOPX_TEST_MAIN ?? fileURLToPath(new URL('../../dist/main.js', import.meta.url));

// biome-ignore lint/suspicious/noExplicitAny: tests reach into answers whose shape they assert.
export type Body = Record<string, any>;

export type ClientOptions = {
  /** The folder the server is started in. */
  projectDir: string;
  /** Its LOOPX_AGENT; without one an agent that writes gets a name of the server's choice. */
  agent?: string;
  env?: Record<string, string>;
  /** How the host answers every form; without it the host shows none. */
  onForm?: FormFill;
};

/** What a form comes back as, and after how long (ms); a person is never faster than `humanMs`. */
export type FormFill = { action: 'accept' | 'decline' | 'cancel'; answer?: string; note?: string; afterMs?: number };

/** A little over the least time in which the server takes an answer for a person's. */
const humanMs = 600;

/** One MCP client with a server process of its own, on the real stdio. */
export class LoopxClient {
  readonly #client: Client;
  readonly #transport: StdioClientTransport;
  /** Messages of the forms that the server asked for. */
  readonly forms: string[] = [];

  private constructor(client: Client, transport: StdioClientTransport) {
    this.#client = client;
    this.#transport = transport;
  }

  static async start({ projectDir, agent, env, onForm }: ClientOptions): Promise<LoopxClient> {
    const client = new Client(
      { name: 'e2e', version: '1.0.0' },
      { capabilities: onForm ? { elicitation: { form: {} } } : {} },
    );
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [mainFile, 'serve'],
      cwd: projectDir,
      env: { PATH: process.env.PATH ?? '', HOME: `${projectDir}-home`, ...(agent && { LOOPX_AGENT: agent }), ...env },
      stderr: 'inherit',
    });
    const started = new LoopxClient(client, transport);
    if (onForm) {
      client.setRequestHandler('elicitation/create', async ({ params }) => {
        started.forms.push(params.message);
        const { action, answer, note, afterMs = humanMs } = onForm;
        await sleep(afterMs);
        const content = { ...(answer !== undefined && { answer }), ...(note !== undefined && { note }) };
        return action === 'accept' ? { action, content } : { action };
      });
    }
    await client.connect(transport);
    return started;
  }

  get pid(): number {
    return this.#transport.pid ?? 0;
  }

  /** The structured answer of a tool, refusal or not. */
  async call(tool: string, args: Body = {}): Promise<Body> {
    return (await this.raw(tool, args)).body;
  }

  /** The same beside what else the result carries: the text block and the mark of an error. */
  async raw(tool: string, args: Body = {}): Promise<{ body: Body; text: string; isError: boolean }> {
    const result = await this.#client.callTool({ name: tool, arguments: args }, { timeout: 60_000 });
    const [block] = result.content as { text?: string }[];
    return { body: result.structuredContent as Body, text: block?.text ?? '', isError: result.isError === true };
  }

  /** The text of a prompt. */
  async prompt(name: string, args: Record<string, string> = {}): Promise<string> {
    const { messages } = await this.#client.getPrompt({ name, arguments: args }, { timeout: 60_000 });
    return messages.map(({ content }) => ('text' in content ? String(content.text) : '')).join('\n');
  }

  async listTools(): Promise<Body[]> {
    return (await this.#client.listTools()).tools;
  }

  async listPrompts(): Promise<Body[]> {
    return (await this.#client.listPrompts()).prompts;
  }

  /** Ends the connection as a host does that goes away in good order. */
  async close(): Promise<void> {
    await this.#client.close();
  }

  /** Ends the server process with SIGKILL, at whatever it is doing. */
  kill(): void {
    process.kill(this.pid, 'SIGKILL');
  }
}
