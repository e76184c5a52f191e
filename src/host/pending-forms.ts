import { randomBytes, randomUUID } from 'node:crypto';
import { createRequestStateCodec, type ServerOptions } from '@modelcontextprotocol/server';

/** What has to outlive one round of a request whose form the host is showing. */
export interface PendingForm {
  readonly subject: string;
  /** `performance.now()` when the form went out. */
  readonly shownAtMs: number;
  /** What earlier forms of the same request were answered, by subject. */
  readonly earlier: ReadonlyMap<string, FormAnswer>;
  readonly carried: unknown;
}

/** How the owner left a form: with an answer that counts, or in a way that leaves everything as it was. */
export type FormAnswer =
  | { readonly outcome: 'answered'; readonly option: string; readonly note: string }
  | { readonly outcome: 'open'; readonly why: string };

const ttlS = 3_600;
const pendingMax = 200;

/**
 * The forms of one process that wait for the owner (modern era: the host answers by a second request). The state that
 * travels through the host is only a name under a key of this process; each is good for one return.
 */
export class PendingForms {
  readonly #codec = createRequestStateCodec<{ name: string }>({ key: randomBytes(32), ttlSeconds: ttlS });
  readonly #pending = new Map<string, PendingForm>();

  readonly verify: NonNullable<NonNullable<ServerOptions['requestState']>['verify']> = (state, context) =>
    this.#codec.verify(state, context);

  async add(form: PendingForm): Promise<string> {
    if (this.#pending.size >= pendingMax) this.#pending.delete(this.#pending.keys().next().value as string);
    const name = randomUUID();
    this.#pending.set(name, form);
    return this.#codec.mint({ name });
  }

  /** The form under a verified state; the second time there is none. */
  take(state: { readonly name?: unknown } | undefined): PendingForm | undefined {
    const name = state?.name;
    if (typeof name !== 'string') return undefined;
    const form = this.#pending.get(name);
    this.#pending.delete(name);
    return form;
  }
}
