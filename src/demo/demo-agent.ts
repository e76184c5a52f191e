import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { version } from '../version.ts';

/** A question that a server asks the person, as MCP's form says it. */
interface Form {
  readonly message: string;
  readonly options: readonly string[];
}

/** How the person left the form: an option, or nothing. */
export type AnswerForm = (form: Form) => Promise<string | undefined>;

export type Fields = { readonly [name: string]: unknown };

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Fields;
  readonly result?: Fields;
  readonly error?: { readonly message: string };
}

/** One agent: a client of MCP with a server process of its own, over stdio, as a host would start it. */
export class DemoAgent {
  readonly name: string;
  readonly #child: ChildProcess;
  readonly #answerForm: AnswerForm;
  readonly #waiting = new Map<number, (message: Message) => void>();
  #nextId = 1;

  private constructor(name: string, child: ChildProcess, answerForm: AnswerForm) {
    this.name = name;
    this.#child = child;
    this.#answerForm = answerForm;
    child.stdin?.on('error', () => undefined);
    child.on('close', () => this.#fail(`the server of ${name} has ended`));
    if (child.stdout) createInterface({ input: child.stdout }).on('line', (line) => this.#take(JSON.parse(line)));
  }

  /** Starts the server in that folder and shakes hands with it. */
  static async start(name: string, folder: string, env: NodeJS.ProcessEnv, answerForm: AnswerForm): Promise<DemoAgent> {
    const child = spawn(process.execPath, [process.argv[1] as string, 'serve'], {
      cwd: folder,
      env: { ...env, LOOPX_AGENT: name },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const agent = new DemoAgent(name, child, answerForm);
    await agent.#request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: { elicitation: { form: {} } },
      clientInfo: { name: 'loopx-demo', version },
    });
    agent.#send({ method: 'notifications/initialized' });
    return agent;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Calls a tool and answers its structured content, a refusal too. */
  async call(tool: string, args: Fields = {}): Promise<Fields> {
    const result = await this.#request('tools/call', { name: tool, arguments: args });
    return result.structuredContent as Fields;
  }

  /** The owner's slash command, as a host sends it; answers the text that goes to the model. */
  async prompt(name: string, args: Fields): Promise<string> {
    const { messages } = await this.#request('prompts/get', { name, arguments: args });
    const [first] = messages as readonly { readonly content: { readonly text: string } }[];
    return first?.content.text ?? '';
  }

  /** Closes the server's stdin, upon which it ends by itself. */
  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.stdin?.end();
    await ended;
  }

  async #request(method: string, params: Fields): Promise<Fields> {
    const id = this.#nextId++;
    const answered = new Promise<Message>((resolve) => this.#waiting.set(id, resolve));
    this.#send({ id, method, params });
    const { result, error } = await answered;
    if (result === undefined) throw new Error(`${method}: ${error?.message ?? 'no result'}`);
    return result;
  }

  #send(message: Message): void {
    this.#child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  #take(message: Message): void {
    const { id, method, params } = message;
    if (method === undefined) {
      this.#waiting.get(Number(id))?.(message);
      this.#waiting.delete(Number(id));
    } else if (method === 'elicitation/create' && id !== undefined) void this.#show(id, params ?? {});
    else if (id !== undefined) this.#send({ id, error: { message: 'not supported' } });
  }

  async #show(id: number | string, params: Fields): Promise<void> {
    const { properties } = params.requestedSchema as { properties: { answer: { enum: readonly string[] } } };
    const answer = await this.#answerForm({ message: String(params.message), options: properties.answer.enum });
    const result = answer === undefined ? { action: 'cancel' } : { action: 'accept', content: { answer } };
    this.#send({ id, result });
  }

  #fail(why: string): void {
    for (const resolve of this.#waiting.values()) resolve({ error: { message: why } });
    this.#waiting.clear();
  }
}
