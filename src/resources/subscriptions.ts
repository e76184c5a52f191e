import type { JSONRPCMessage, McpServer } from '@modelcontextprotocol/server';
import type { Opened } from '../plane-provider.ts';
import type { Change } from '../state/answer.ts';
import { resourceAt } from './registry.ts';

const urisMax = 1_000;

/**
 * What the host of this process wants to hear of. In the legacy era it subscribes to one URI at a time; in the modern
 * era it listens, which the SDK serves by itself and we only overhear, to know what is worth watching.
 */
export class Subscriptions {
  readonly #uris = new Set<string>();
  #mcp: McpServer | undefined;
  #stop: (() => void) | undefined;

  /** The server instance that speaks for this connection; the latest one, where a probe came before. */
  speakThrough(mcp: McpServer): void {
    this.#mcp = mcp;
  }

  /** Watches the store from the first subscription on; throws where there is no workspace to watch. */
  async add(uri: string, open: () => Promise<Opened>): Promise<void> {
    if (this.#uris.size >= urisMax) throw new Error(`more than ${urisMax} subscriptions`);
    this.#uris.add(uri);
    if (this.#stop !== undefined) return;
    const opened = await open();
    if ('refusal' in opened) throw new Error(opened.refusal.message);
    // What was there before is no news: the store is read up to now, and watched from here.
    await opened.plane.query({ type: 'goals' }, { kind: 'mcp', host: 'subscriptions', agent: '' });
    this.#stop ??= opened.plane.watch((change) => this.#tell(change));
  }

  remove(uri: string): void {
    this.#uris.delete(uri);
  }

  /** Overhears the modern era's `subscriptions/listen`; what it stops listening to, the SDK drops. */
  overhear(message: JSONRPCMessage, open: () => Promise<Opened>): void {
    if (!('method' in message) || message.method !== 'subscriptions/listen') return;
    const wanted = (message.params as { notifications?: { resourceSubscriptions?: unknown } } | undefined)
      ?.notifications;
    const uris = Array.isArray(wanted?.resourceSubscriptions) ? wanted.resourceSubscriptions : [];
    for (const uri of uris) {
      if (typeof uri === 'string') {
        this.add(uri, open).catch((error) => console.error(`loopx: cannot watch ${uri}: ${(error as Error).message}`));
      }
    }
  }

  close(): void {
    this.#stop?.();
    this.#uris.clear();
  }

  #tell(change: Change): void {
    for (const uri of this.#uris) {
      const found = resourceAt(uri);
      if (found?.resource.isTouchedBy(change, found.variables)) {
        this.#mcp?.server.sendResourceUpdated({ uri }).catch(() => {
          // The host is gone; its end closes this process too.
        });
      }
    }
  }
}
