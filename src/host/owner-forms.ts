import { type InputRequiredResult, inputRequired, type ServerContext } from '@modelcontextprotocol/server';
import type { FormAnswer, PendingForm, PendingForms } from './pending-forms.ts';

/** A question to the owner. Its form always has the required field `answer`, since one host accepts empty ones itself. */
export interface OwnerForm {
  /** What exactly is asked, with everything that would make it another question; answers to another do not count. */
  readonly subject: string;
  readonly message: string;
  readonly options: readonly string[];
  /** How long a held-open request may wait, ms; only where the era holds one open. */
  readonly answerMsMax?: number;
  /** What the next round of the same request needs to know. */
  readonly carried?: unknown;
}

export type Asked = FormAnswer | { readonly outcome: 'asking'; readonly request: InputRequiredResult };

interface FormRoom {
  readonly context: ServerContext;
  readonly era: 'legacy' | 'modern';
  readonly canShow: boolean;
  readonly unattended: string | undefined;
  readonly pending: PendingForms;
}

/** No person reads a question and answers it in less: every automatic answer seen came within 10 ms. */
const humanMsMin = 400;
const answerMsMaxDefault = 3_600_000;
const noteCharsMax = 8_000;

/** The forms of one request to the host. */
export class OwnerForms {
  readonly #room: FormRoom;
  readonly #resumed: PendingForm | undefined;
  /** By subject, over all rounds of this request. */
  readonly #answers: Map<string, FormAnswer>;

  constructor(room: FormRoom) {
    this.#room = room;
    this.#resumed = room.pending.take(room.context.mcpReq.requestState());
    this.#answers = new Map(this.#resumed?.earlier);
  }

  /** Whether the host can show a form at all. */
  get canShow(): boolean {
    return this.#room.canShow;
  }

  /** Why nothing that this host says counts as the owner's word, if that is so. */
  get unattended(): string | undefined {
    return this.#room.unattended;
  }

  /** What was carried over from the round in which a form went out; undefined in the first round. */
  get carried(): unknown {
    return this.#resumed?.carried;
  }

  /**
   * Shows the form and answers how the owner left it. In the modern era the first round answers `asking`: hand that
   * request to the host, which comes back with the same call. Declined, cancelled, unanswered, filled too fast or by
   * nobody: open.
   */
  async ask(form: OwnerForm): Promise<Asked> {
    const { unattended, canShow, era } = this.#room;
    if (unattended !== undefined) return { outcome: 'open', why: unattended };
    if (!canShow) return { outcome: 'open', why: 'this host shows no forms' };
    return era === 'legacy' ? this.#askNow(form) : this.#askByReturn(form);
  }

  async #askNow(form: OwnerForm): Promise<FormAnswer> {
    const shownAtMs = performance.now();
    const { mcpReq } = this.#room.context;
    try {
      const response = await mcpReq.send(
        { method: 'elicitation/create', params: { mode: 'form', ...paramsOf(form) } },
        { timeout: form.answerMsMax ?? answerMsMaxDefault, signal: mcpReq.signal },
      );
      return judge(form, response, performance.now() - shownAtMs);
    } catch (error) {
      return { outcome: 'open', why: `the form was not answered (${String((error as Error).message).slice(0, 200)})` };
    }
  }

  async #askByReturn(form: OwnerForm): Promise<Asked> {
    const before = this.#answers.get(form.subject);
    if (before !== undefined) return before;
    const resumed = this.#resumed;
    const response = this.#room.context.mcpReq.inputResponses?.owner;
    if (resumed?.subject === form.subject && response !== undefined) {
      const answer = judge(form, response, performance.now() - resumed.shownAtMs);
      this.#answers.set(form.subject, answer);
      return answer;
    }
    const shownAtMs = performance.now();
    const state = { subject: form.subject, shownAtMs, earlier: this.#answers, carried: form.carried };
    return {
      outcome: 'asking',
      request: inputRequired({
        inputRequests: { owner: inputRequired.elicit(paramsOf(form)) },
        requestState: await this.#room.pending.add(state),
      }),
    };
  }
}

function paramsOf(form: OwnerForm) {
  return {
    message: form.message,
    requestedSchema: {
      type: 'object' as const,
      properties: {
        answer: { type: 'string' as const, title: 'Answer', enum: [...form.options] },
        note: { type: 'string' as const, title: 'Note (optional)', description: 'Your words, kept with the answer.' },
      },
      required: ['answer'],
    },
  };
}

/** What came back is untrusted: anything but a timely `accept` of one of the options leaves all as it was. */
function judge(form: OwnerForm, response: unknown, tookMs: number): FormAnswer {
  const { action, content } = (response ?? {}) as { action?: unknown; content?: unknown };
  if (action === 'decline') return { outcome: 'open', why: 'the form was declined' };
  if (action !== 'accept') return { outcome: 'open', why: 'the form was closed without an answer' };
  const { answer, note } = (content ?? {}) as { answer?: unknown; note?: unknown };
  if (typeof answer !== 'string' || !form.options.includes(answer)) {
    return { outcome: 'open', why: 'the form came back without one of its options' };
  }
  if (tookMs < humanMsMin) return { outcome: 'open', why: 'the form came back faster than a person answers' };
  return { outcome: 'answered', option: answer, note: typeof note === 'string' ? note.slice(0, noteCharsMax) : '' };
}
