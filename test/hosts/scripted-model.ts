import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import {
  type JsonObject,
  type Reply,
  ScriptPlayer,
  type ScriptStep,
  type SentResult,
  type ToolResult,
} from './script.ts';
import type { Wire } from './wire.ts';
import { anthropicWire } from './wire-anthropic.ts';
import { chatWire } from './wire-chat.ts';
import { geminiWire } from './wire-gemini.ts';
import { responsesWire } from './wire-responses.ts';

const wires: readonly Wire[] = [anthropicWire, responsesWire, chatWire, geminiWire];
const bodyBytesMax = 32 * 1024 * 1024;

export type ModelRequest = { method: string; path: string; body: JsonObject; isTurn: boolean };

/**
 * Stands in for the model of any host on 127.0.0.1: it plays a script and records what the host sends. It also
 * serves as the proxy of everything else, and lets nothing through.
 */
export class ScriptedModel {
  readonly url: string;
  readonly requests: ModelRequest[] = [];
  /** Hosts on the network that the program tried to reach, as `name:port`; each was refused. */
  readonly refused: string[] = [];
  /** What steps of the script threw. */
  readonly failures: unknown[] = [];
  readonly #player: ScriptPlayer;
  readonly #server: Server;
  #system = '';
  #tools: string[] = [];

  private constructor(server: Server, script: readonly ScriptStep[]) {
    this.#server = server;
    this.#player = new ScriptPlayer(script);
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(script: readonly ScriptStep[]): Promise<ScriptedModel> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const model = new ScriptedModel(server, script);
    server.on('request', (request, response) => void model.#answer(request, response));
    server.on('connect', (request, socket) => model.#refuse(String(request.url), socket as Socket));
    return model;
  }

  /** Tool results in the order of their calls, as the model was sent them. */
  get results(): readonly ToolResult[] {
    return this.#player.results;
  }

  /** How many steps of the script were played. */
  get played(): number {
    return this.#player.played;
  }

  /** What the newest turn told the model outside of results: system text, instructions, messages. */
  get system(): string {
    return this.#system;
  }

  /** The tools the newest turn offered, as the host spells them. */
  get tools(): readonly string[] {
    return this.#tools;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const target = new URL(request.url ?? '/', this.url);
      if (target.origin !== this.url) return this.#refuseRequest(target, response);
      const body = await readJson(request);
      await this.#route(request.method ?? 'GET', target.pathname, body, response);
    } catch (cause) {
      // A request that is broken, or was given up by a host that is being killed.
      send(response, 400, { error: { type: 'invalid_request_error', message: String(cause) } });
    }
  }

  async #route(method: string, path: string, body: JsonObject, response: ServerResponse): Promise<void> {
    const wire = method === 'POST' ? wires.find((candidate) => candidate.matches(path)) : undefined;
    const isTurn = wire?.isTurn(body) ?? false;
    this.requests.push({ method, path, body, isTurn });
    if (wire === undefined) return sendAside(path, response);
    if (isTurn) {
      this.#system = wire.system(body);
      this.#tools = wire.tools(body);
    }
    const reply = isTurn ? await this.#next(wire.results(body)) : { text: 'Scripted.' };
    const { type, text } = wire.render(reply, body, path);
    response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).end(text);
  }

  // After a step that threw the host is let go at once: an error would make it try again, with the next step.
  async #next(sent: readonly SentResult[]): Promise<Reply> {
    if (this.failures.length > 0) return { text: 'The script failed.' };
    try {
      return await this.#player.next(sent);
    } catch (failure) {
      this.failures.push(failure);
      return { text: 'The script failed.' };
    }
  }

  #refuse(address: string, socket: Socket): void {
    this.refused.push(address);
    socket.on('error', () => {});
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  }

  #refuseRequest(target: URL, response: ServerResponse): void {
    this.refused.push(target.host);
    send(response, 403, { error: { message: 'Nothing leaves this machine.' } });
  }
}

// Requests beside the conversation: counting tokens is answered, all else does not exist.
function sendAside(path: string, response: ServerResponse): void {
  if (path.endsWith('/count_tokens')) send(response, 200, { input_tokens: 100 });
  else if (path.endsWith(':countTokens')) send(response, 200, { totalTokens: 100 });
  else send(response, 404, { error: { type: 'not_found_error', message: `No ${path} here.` } });
}

function send(response: ServerResponse, status: number, body: JsonObject): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function readJson(request: IncomingMessage): Promise<JsonObject> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > bodyBytesMax) throw new Error(`A request body is over ${bodyBytesMax} bytes.`);
    chunks.push(chunk as Buffer);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  return text.trim() === '' ? {} : (JSON.parse(text) as JsonObject);
}
