import { digestOf, evidenceOf } from '../../src/state/act-facts.ts';
import type { Act, Actor, Command } from '../../src/state/kernel/commands.ts';
import { decide } from '../../src/state/kernel/decide.ts';
import type { State } from '../../src/state/kernel/state.ts';
import type { Commit, CommitDraft, CommitLog, Json } from '../../src/state/log/commit-log.ts';
import { nodeCrypto } from '../../src/state/node-crypto.ts';
import { Replica } from '../../src/state/replica.ts';
import { type SimulatedWorld, Watch } from './world.ts';

/** A command that was sent, under a key by which it is sent again when its answer was lost. */
export interface Sent {
  readonly act: Act;
  readonly key: string;
}

/** A decision on its way to the log. */
export interface UnderWay {
  readonly sent: Sent;
  readonly draft: CommitDraft;
  readonly expectedVersion: number;
  readonly actor: Actor;
  readonly files: SimulatedWorld['files'];
}

export interface Written extends UnderWay {
  readonly commit: Commit;
}

/** One server process: its own replica, clock and watch; it can stop at any point of a command. */
export class SimulatedProcess {
  readonly replica: Replica;
  readonly actor: Actor;
  skewMs = 0;
  underWay: UnderWay | undefined;
  pausedUntil = 0;
  readonly #log: CommitLog;
  readonly #world: SimulatedWorld;
  readonly #watch = new Watch();

  constructor(log: CommitLog, world: SimulatedWorld, actor: Actor) {
    this.#log = log;
    this.#world = world;
    this.actor = actor;
    this.replica = new Replica(log);
  }

  get wall(): number {
    return this.#world.now + this.skewMs;
  }

  get session(): string {
    return this.actor.kind === 'agent' ? this.actor.session : '';
  }

  /** Reads to the end and decides; answers whether there is something to append. */
  async decide(sent: Sent): Promise<boolean> {
    const state = await this.replica.catchUp();
    this.#world.act(this.session, this.wall);
    const command = this.#command(state, sent);
    const decided = decide(command, state, nodeCrypto);
    this.underWay = undefined;
    if ('refusal' in decided || decided.events.length === 0) return false;
    const { key, digest } = command;
    const draft: CommitDraft = {
      id: `${this.session}-${sent.key}`,
      at: new Date(decided.at).toISOString(),
      by: { agent: decided.agent },
      command: { type: sent.act.type, key, digest, result: decided.result as unknown as Json },
      events: decided.events,
    };
    const files = { ...this.#world.files };
    this.underWay = { sent, draft, expectedVersion: state.version, actor: this.actor, files };
    return true;
  }

  /** Appends what is under way; on a conflict the command is decided again, on what the others wrote meanwhile. */
  async append(): Promise<Written | 'conflict' | undefined> {
    const { underWay } = this;
    if (!underWay) return undefined;
    const appended = await this.#log.append(underWay.draft, underWay.expectedVersion);
    if ('conflict' in appended) {
      await this.decide(underWay.sent);
      return 'conflict';
    }
    this.underWay = undefined;
    return { ...underWay, commit: appended.appended };
  }

  #command(state: State, { act, key }: Sent): Command {
    const hashed = evidenceOf(act).map(({ files = [] }) => ({
      files: files.map((path) => ({ path, sha256: this.#world.files[path] ?? 'absent' })),
      globs: [],
    }));
    const sessions = this.#world.see(state, this.wall, this.#watch);
    const seen = { sessions, files: this.#world.files, globs: {}, hashed, idleAfterS: 3_600, graceS: 300 };
    return { act, actor: this.actor, wall: this.wall, seen, key, digest: digestOf(act) };
  }
}
