import { type ChildProcess, spawn } from 'node:child_process';
import type { Answered, Place } from '../cli/loopx.ts';
import { mainPath } from '../cli/loopx.ts';

type Message = Answered;

export interface HostSettings {
  /** The protocol era to speak; the legacy era begins with `initialize`. */
  readonly era?: 'legacy' | 'modern';
  readonly env?: Record<string, string>;
  readonly cwd?: string;
  readonly capabilities?: Record<string, unknown>;
  /** How somebody leaves a form, and after how long; the next unless it is changed. */
  readonly form?: { action: string; content?: Record<string, unknown> };
  readonly formAfterMs?: number;
  readonly roots?: readonly string[];
}

/** A host as hosts are on the wire: raw JSON-RPC lines to a real server process, and everything kept that came back. */
export class TestHost {
  readonly child: ChildProcess;
  readonly settings: HostSettings;
  /** Lines of stdout that are no JSON-RPC message. */
  readonly noise: string[] = [];
  readonly notifications: Message[] = [];
  /** Requests of the server to this host. */
  readonly asked: Message[] = [];
  readonly ended: Promise<{ code: number | null; signal: string | null }>;
  stderr = '';
  form: HostSettings['form'];
  formAfterMs: number;
  /** Holds every form back until it resolves. */
  formWhen: Promise<unknown> = Promise.resolve();
  #nextId = 1;
  #buffer = '';
  readonly #waiting = new Map<number, (message: Message) => void>();

  constructor(place: Place, settings: HostSettings = {}) {
    this.settings = settings;
    this.form = settings.form;
    this.formAfterMs = settings.formAfterMs ?? 450;
    this.child = spawn(process.execPath, [mainPath, 'serve'], {
      cwd: settings.cwd ?? place.project,
      env: { ...place.env, ...settings.env },
    });
    this.ended = new Promise((resolve) => this.child.on('close', (code, signal) => resolve({ code, signal })));
    this.child.stdin?.on('error', () => {});
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => this.#receive(text));
  }

  /** Starts a server; in the legacy era it is initialised. */
  static async start(place: Place, settings: HostSettings = {}): Promise<TestHost> {
    const host = new TestHost(place, settings);
    if (settings.era !== 'modern') await host.initialize();
    return host;
  }

  async initialize(protocolVersion = '2025-11-25'): Promise<Message> {
    const capabilities = this.#capabilities();
    const params = { protocolVersion, capabilities, clientInfo: { name: 'test-host', version: '1' } };
    const answer = await this.request('initialize', params);
    this.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return answer;
  }

  send(message: unknown): void {
    this.write(`${JSON.stringify(message)}\n`);
  }

  write(text: string): void {
    this.child.stdin?.write(text);
  }

  /** The whole response, with `result` or `error`. */
  request(method: string, params: Record<string, unknown> = {}): Promise<Message> {
    const id = this.#nextId++;
    const answer = new Promise<Message>((resolve) => this.#waiting.set(id, resolve));
    this.send({ jsonrpc: '2.0', id, method, params: { ...params, ...this.#envelope() } });
    return answer;
  }

  /** A tool's answer: its structured content, with `isError`. */
  async call(name: string, args: Record<string, unknown> = {}): Promise<Answered> {
    const { result, error } = await this.#withForms('tools/call', { name, arguments: args });
    if (error) throw new Error(JSON.stringify(error));
    return { ...result.structuredContent, isError: result.isError };
  }

  /** A prompt's text. */
  async prompt(name: string, args: Record<string, string> = {}): Promise<string> {
    const { result, error } = await this.#withForms('prompts/get', { name, arguments: args });
    if (error) throw new Error(JSON.stringify(error));
    return result.messages[0].content.text;
  }

  async stop(): Promise<void> {
    this.child.stdin?.end();
    await this.ended;
  }

  /** Repeats a request of the modern era with what somebody filled in, as hosts do. */
  async #withForms(method: string, params: Record<string, unknown>): Promise<Message> {
    let answer = await this.request(method, params);
    while (answer.result?.resultType === 'input_required') {
      const { inputRequests, requestState } = answer.result;
      this.asked.push(...Object.values<Message>(inputRequests));
      const filled = await this.#fillIn();
      const inputResponses = Object.fromEntries(Object.keys(inputRequests).map((name) => [name, filled]));
      answer = await this.request(method, { ...params, inputResponses, requestState });
    }
    return answer;
  }

  async #roots(): Promise<unknown> {
    return { roots: (this.settings.roots ?? []).map((uri) => ({ uri })) };
  }

  /** What somebody makes of a form that was just shown. */
  async #fillIn(): Promise<unknown> {
    const form = this.form ?? { action: 'cancel' };
    await Promise.all([sleep(this.formAfterMs), this.formWhen]);
    return form;
  }

  #capabilities(): Record<string, unknown> {
    return this.settings.capabilities ?? (this.settings.form ? { elicitation: { form: {} } } : {});
  }

  #envelope(): Record<string, unknown> {
    if (this.settings.era !== 'modern') return {};
    return {
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'test-host', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': this.#capabilities(),
      },
    };
  }

  #receive(text: string): void {
    this.#buffer += text;
    for (let end = this.#buffer.indexOf('\n'); end >= 0; end = this.#buffer.indexOf('\n')) {
      const line = this.#buffer.slice(0, end);
      this.#buffer = this.#buffer.slice(end + 1);
      const message = parse(line);
      if (message === undefined) this.noise.push(line);
      else this.#take(message);
    }
  }

  #take(message: Message): void {
    if (message.method !== undefined && message.id !== undefined) {
      this.asked.push(message);
      const answer = message.method === 'roots/list' ? this.#roots() : this.#fillIn();
      void answer.then((result) => this.send({ jsonrpc: '2.0', id: message.id, result }));
    } else if (message.method !== undefined) this.notifications.push(message);
    else {
      this.#waiting.get(message.id)?.(message);
      this.#waiting.delete(message.id);
    }
  }
}

function parse(line: string): Message | undefined {
  try {
    const message = JSON.parse(line);
    return message?.jsonrpc === '2.0' ? message : undefined;
  } catch {
    return undefined;
  }
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Asks again until the value is there; the test's own time limit ends a wait that is in vain. */
export async function eventually<T>(look: () => T | undefined): Promise<T> {
  for (;;) {
    const value = look();
    if (value !== undefined) return value;
    await sleep(20);
  }
}
