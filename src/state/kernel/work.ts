import type { Command, Crypto, Seen } from './commands.ts';
import type { Event } from './events.ts';
import { evolve, type Stamp } from './evolve.ts';
import type { State } from './state.ts';
import type { View } from './view.ts';

/**
 * A decision in the making: what was decided so far is folded at once, so that each next check sees it. A refusal
 * simply drops the work, and nothing has happened.
 */
export class Work implements View {
  state: State;
  readonly events: Event[] = [];
  readonly stamp: Stamp;
  readonly before: State;
  readonly agent: string;
  readonly session: string;
  readonly capabilities: readonly string[];
  readonly seen: Seen;
  readonly crypto: Crypto;
  readonly command: Command;

  constructor(
    command: Command,
    state: State,
    at: number,
    who: { agent: string; session: string; capabilities: readonly string[] },
    crypto: Crypto,
  ) {
    this.command = command;
    this.before = state;
    this.state = state;
    this.stamp = { version: state.version + 1, at };
    this.agent = who.agent;
    this.session = who.session;
    this.capabilities = who.capabilities;
    this.seen = command.seen;
    this.crypto = crypto;
  }

  get at(): number {
    return this.stamp.at;
  }

  emit(event: Event): void {
    this.state = evolve(this.state, event, this.stamp);
    this.events.push(event);
  }

  /** Tells another agent with its next call; nobody is told of what they did themselves. */
  notify(agent: string, notice: Omit<Extract<Event, { type: 'notice.sent' }>, 'type' | 'agent'>): void {
    if (agent !== this.agent) this.emit({ type: 'notice.sent', agent, ...notice });
  }
}
