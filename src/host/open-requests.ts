import type { JSONRPCMessage, RequestId, Transport } from '@modelcontextprotocol/server';

/**
 * Counts the requests of a connection that wait for their answer, so that closing stdin right after a request still
 * lets the answer out. Attach it after the transport has been given to the server, which sets its callbacks.
 */
export class OpenRequests {
  readonly #open = new Set<RequestId>();
  readonly #waiting = new Set<() => void>();

  attach(transport: Transport): void {
    const { onmessage } = transport;
    transport.onmessage = (message, extra) => {
      this.#came(message);
      onmessage?.(message, extra);
    };
    const send = transport.send.bind(transport);
    transport.send = async (message, options) => {
      try {
        await send(message, options);
      } finally {
        if (!('method' in message) && 'id' in message) this.#settled(message.id);
      }
    };
  }

  /** Resolves when all are answered, at the latest after `msMax`. */
  async whenAnswered(msMax: number): Promise<void> {
    if (this.#open.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#waiting.add(resolve);
      setTimeout(resolve, msMax);
    });
  }

  #came(message: JSONRPCMessage): void {
    if (!('method' in message)) return;
    // A subscription is answered only when it ends.
    if ('id' in message && message.method !== 'subscriptions/listen') this.#open.add(message.id);
    if (message.method === 'notifications/cancelled') {
      this.#settled((message.params as { requestId?: RequestId } | undefined)?.requestId);
    }
  }

  #settled(id: RequestId | undefined): void {
    if (id !== undefined) this.#open.delete(id);
    if (this.#open.size > 0) return;
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}
