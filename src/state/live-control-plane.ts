import { nanoid } from 'nanoid';
import { digestOf, evidenceOf, focusOf, textsOf } from './act-facts.ts';
import type { Answer, Caller, Change, OwnerCaller, Query } from './answer.ts';
import type { ControlPlane } from './control-plane.ts';
import { asOf } from './kernel/clock.ts';
import type { Act, Actor, Command, OwnerAct, Seen } from './kernel/commands.ts';
import { decide } from './kernel/decide.ts';
import { badArgument, type Refusal, type Refused, refuse } from './kernel/refusal.ts';
import type { Result, State } from './kernel/state.ts';
import type { View } from './kernel/view.ts';
import { whoAsks } from './kernel/who.ts';
import { type CommitDraft, type CommitLog, type Json, StoreError } from './log/commit-log.ts';
import { nodeCrypto } from './node-crypto.ts';
import { Heartbeat } from './presence/heartbeat.ts';
import type { Presence } from './presence/presence.ts';
import { type Reads, read } from './reads.ts';
import { Replica } from './replica.ts';
import { findSecret } from './secrets/find-secret.ts';
import { ownerActor, type Session } from './session.ts';
import type { SnapshotKeeper } from './snapshot.ts';
import type { Told } from './told.ts';
import { actAnswer } from './views/act-answer.ts';
import { answerBytes, bytesOf, fitted } from './views/shape.ts';
import type { Focus, World } from './world.ts';

export interface PlaneParts {
  readonly log: CommitLog;
  readonly snapshots?: SnapshotKeeper | undefined;
  readonly world: World;
  readonly presence: Presence;
  readonly session: Session;
  readonly told: Told;
  readonly idleAfterS: number;
  /** Folder of the workspace, which the answer to goal_status names. */
  readonly root: string;
}

/** What one run of a command came to. */
type Outcome =
  | { readonly view: View; readonly result: Result; readonly replayed?: number }
  | { readonly view: View; readonly refusal: Refusal };

/** A holder that stopped renewing is watched within the call if it takes no longer than this. */
const watchMsMax = 2_000;
/** Conflicts are retried for so long before the store counts as busy. */
const retryMsMax = 5_000;
const retryPauseMsMax = 50;

/** The control plane over one commit log: read to the end, look at the world, decide, append at the expected version. */
export class LiveControlPlane implements ControlPlane {
  readonly #parts: PlaneParts;
  readonly #replica: Replica;
  #heartbeat: Heartbeat | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #unwatch: (() => void) | undefined;
  #isClosing = false;

  constructor(parts: PlaneParts) {
    this.#parts = parts;
    this.#replica = new Replica(parts.log, parts.snapshots);
  }

  execute(act: Exclude<Act, OwnerAct>, caller: Caller, key?: string): Promise<Answer> {
    return this.#answered(act, this.#parts.session.actorOf(caller), key);
  }

  own(act: OwnerAct, owner: OwnerCaller, key?: string): Promise<Answer> {
    return this.#answered(act, ownerActor(owner), key);
  }

  async query(query: Query, caller: Caller, signal?: AbortSignal): Promise<Answer> {
    return read(this.#reads, query, this.#parts.session.actorOf(caller), signal);
  }

  watch(onChange: (change: Change) => void): () => void {
    const stop = this.#replica.onChange(onChange);
    this.#unwatch ??= this.#parts.log.watch(() => {
      void this.#inTurn(() => this.#replica.catchUp()).catch(() => {
        // A log that cannot be read has nothing to tell; the next call says why.
      });
    });
    return stop;
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#heartbeat?.stop();
    this.#unwatch?.();
    await this.#turn.catch(() => undefined);
    this.#parts.session.end();
    await this.#parts.presence.flush?.().catch(() => undefined);
    await this.#parts.log.close();
  }

  async #answered(act: Act, actor: Actor, key: string | undefined): Promise<Answer> {
    const outcome = await this.#run(act, actor, key);
    const { view } = outcome;
    if ('refusal' in outcome) return this.#refused(view, outcome.refusal);
    const fields = fitted(actAnswer(view, act, outcome.result), answerBytes.usual);
    return this.#ok(view, {
      ...fields,
      ...(outcome.replayed !== undefined && { replayed: true, replayOf: outcome.replayed }),
    });
  }

  /** Runs a command until it is decided and, where it changes something, stored. */
  async #run(act: Act, actor: Actor, key: string | undefined): Promise<Outcome> {
    const preflight = await this.#preflight(act);
    if ('refusal' in preflight) return { view: await this.#viewOf(actor, {}), refusal: preflight.refusal };
    let hasWatched = false;
    for (;;) {
      const tried = await this.#inTurn(() => this.#decide(act, actor, key, preflight));
      const waitMs = hasWatched ? undefined : watchMsOf(tried);
      if (waitMs === undefined) return tried;
      hasWatched = true;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }

  /** Decides again after each conflict. It keeps its turn, since the calls that wait behind it would meet the same. */
  async #decide(act: Act, actor: Actor, key: string | undefined, hashed: Seen['hashed']): Promise<Outcome> {
    const startedAt = performance.now();
    for (let conflicts = 0; ; conflicts++) {
      const tried = await this.#attempt(act, actor, key, hashed, conflicts);
      if (tried !== 'conflict') return tried;
      if (performance.now() - startedAt > retryMsMax) return busy(await this.#viewOf(actor, {}));
      // Whoever lost steps back for a random, growing time, so that among many writers each comes to win.
      const pauseMs = Math.random() * Math.min(retryPauseMsMax, 2 ** conflicts);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }

  /** Before anything is decided: no credentials in what would be stored, and evidence rests on what is there. */
  async #preflight(act: Act): Promise<Seen['hashed'] | Refused> {
    const secret = await findSecret(textsOf(act));
    if (secret) {
      return badArgument(
        secret.field,
        `${secret.field} looks like it holds a credential (${secret.kind}); nothing was written. Say it without the secret.`,
      );
    }
    const inputs = evidenceOf(act);
    if (inputs.length === 0) return [];
    return this.#parts.world.takeDown(inputs, (at) => (act.type === 'writeback' ? `evidence[${at}].` : ''));
  }

  async #attempt(
    act: Act,
    actor: Actor,
    key: string | undefined,
    hashed: Seen['hashed'],
    conflicts: number,
  ): Promise<Outcome | 'conflict'> {
    // The host is gone: what has not begun is not begun any more, so that the session ends now.
    if (this.#isClosing) return busy(await this.#viewOf(actor, {}), 'This server is ending; nothing was written.');
    let view: View | undefined;
    try {
      const state = await this.#replica.catchUp();
      const focus = focusOf(state, act, agentOf(state, actor));
      view = await this.#viewOf(actor, focus, hashed);
      const command: Command = { act, actor, wall: this.#now(), seen: view.seen, key, digest: digestOf(act) };
      const decided = decide(command, state, nodeCrypto);
      if ('refusal' in decided) return { view, refusal: decided.refusal };
      if (decided.events.length === 0) {
        await this.#parts.log.sync();
        return { view, result: decided.result, ...(decided.replayed !== undefined && { replayed: decided.replayed }) };
      }
      // Whoever sees the commit must be able to see its author.
      if (conflicts === 0) this.#parts.session.touch(actor, decided.agent);
      await this.#parts.presence.flush?.();
      const appended = await this.#parts.log.append(draftOf(command, decided), state.version);
      if ('conflict' in appended) return 'conflict';
      this.#replica.follow([appended.appended]);
      this.#beat();
      return { view: await this.#viewOf(actor, focus), result: decided.result };
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      return { view: view ?? (await this.#viewOf(actor, {})), refusal: storeRefusal(error) };
    }
  }

  #now(): number {
    return this.#parts.log.now?.() ?? Date.now();
  }

  get #reads(): Reads {
    const { log, session, told, root, world } = this.#parts;
    return {
      log,
      told,
      root,
      worktree: world.root,
      catchUp: () => this.#inTurn(() => this.#replica.catchUp()),
      viewOf: (actor, focus) => this.#viewOf(actor, focus),
      touch: (actor, agent) => {
        if (actor.kind === 'agent' && this.#replica.state.sessions.get(actor.session)?.includes(agent))
          session.touch(actor, agent);
      },
      claim: (actor, goal, capabilities) => this.#run({ type: 'quota.claim', goal, capabilities }, actor, undefined),
      onChange: (listener) => this.watch(listener),
      ok: (view, fields) => this.#ok(view, fields),
      refused: (view, refusal) => this.#refused(view, refusal),
    };
  }

  /** The state as this actor sees it now. */
  async #viewOf(actor: Actor, focus: Focus, hashed: Seen['hashed'] = []): Promise<View> {
    const { state, at } = asOf(this.#replica.state, this.#now());
    const agent = agentOf(state, actor);
    const seen = await this.#parts.world.look(
      state,
      at,
      { ...focus, agents: [...(focus.agents ?? []), agent] },
      hashed,
    );
    return {
      state,
      at,
      agent,
      session: actor.kind === 'agent' ? actor.session : '',
      capabilities: state.agents.get(agent)?.capabilities ?? [],
      seen,
    };
  }

  #ok(view: View, fields: object): Answer {
    return this.#whole(view, { ok: true as const, version: view.state.version, ...fields });
  }

  #refused(view: View, refusal: Refusal): Answer {
    const { code, message, details, next } = fitted(refusal, answerBytes.usual);
    return this.#whole(view, { ok: false as const, version: view.state.version, code, message, details, next });
  }

  #whole<T extends { readonly ok: boolean; readonly version: number }>(view: View, body: T): Answer {
    const notices = view.agent === '' ? [] : this.#parts.told.take(view);
    const answer = {
      ...body,
      ...(view.agent !== '' && { you: view.agent }),
      ...(notices.length > 0 && { notices: notices.slice(-10) }),
      asOf: new Date(view.at - view.state.clockOffsetMs).toISOString(),
    };
    return (bytesOf(answer) > answerBytes.most ? fitted(answer, answerBytes.most) : answer) as unknown as Answer;
  }

  /** The heartbeat begins with the first claim there is to witness, and keeps pace with the shortest. */
  #beat(): void {
    const presence = this.#parts.session.presence;
    if (!presence) return;
    if (!this.#heartbeat) {
      this.#heartbeat = new Heartbeat({
        presence,
        idleAfterS: this.#parts.idleAfterS,
        ttlsS: () => this.#ttlsS(),
        now: () => this.#now(),
      });
      this.#heartbeat.start();
    }
    this.#heartbeat.refresh();
  }

  #ttlsS(): readonly number[] {
    const { state } = this.#replica;
    const own = (lease: { readonly session: string; readonly ttlS: number } | undefined) =>
      lease?.session === this.#parts.session.id ? [lease.ttlS] : [];
    return [
      ...[...state.index.active.keys()].flatMap((id) => own(state.todos.get(id)?.claim)),
      ...[...state.reservations.values()].flatMap(own),
    ];
  }

  /** One command of this process at a time, so that its own calls never conflict with each other. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const run = this.#turn.then(work, work);
    this.#turn = run.catch(() => undefined);
    return run;
  }
}

/** Who acts, '' where that cannot be said. */
function agentOf(state: State, actor: Actor): string {
  if (actor.kind === 'owner') return `owner:${actor.name}`;
  const who = whoAsks(state, actor);
  return 'refusal' in who ? '' : who.agent;
}

function draftOf(command: Command, decided: Extract<ReturnType<typeof decide>, { events: unknown }>): CommitDraft {
  const { actor, act, key, digest } = command;
  const by =
    actor.kind === 'agent'
      ? { agent: decided.agent, session: actor.session, host: actor.host }
      : { agent: decided.agent, owner: actor.name, channel: actor.channel, grade: actor.grade };
  const receipt = key === undefined ? {} : { key, digest, result: decided.result as unknown as Json };
  return {
    id: nanoid(),
    at: new Date(decided.at).toISOString(),
    by,
    command: { type: act.type, ...receipt },
    events: decided.events,
  };
}

/** How long the call may wait to see whether a silent holder moves, if that is all that stands in the way. */
function watchMsOf(outcome: Outcome): number | undefined {
  const leftS = Object.values(outcome.view.seen.sessions).flatMap((seen) => seen.watchLeftS ?? []);
  if (leftS.length === 0) return undefined;
  const isHeld = 'refusal' in outcome && ['claim-held', 'nothing-runnable', 'reserved'].includes(outcome.refusal.code);
  const isWaiting = 'result' in outcome && outcome.result.decision !== undefined && outcome.result.token === undefined;
  const waitMs = Math.ceil(Math.min(...leftS) * 1_000) + 5;
  return (isHeld || isWaiting) && waitMs <= watchMsMax ? waitMs : undefined;
}

function busy(view: View, message = 'Other writers were faster for 5 s; nothing was written. Try again.'): Outcome {
  return refusedWith(view, refuse('store-busy', message, {}));
}

function refusedWith(view: View, refused: Refused): Outcome {
  return { view, refusal: refused.refusal };
}

export function storeRefusal(error: StoreError): Refusal {
  return {
    code: error.code,
    message: error.message,
    details: error.details,
    next: [
      {
        tool: 'goal_status',
        arguments: {},
        why: 'whether the store can be read again; `loopx doctor` explains it to the owner',
      },
    ],
  };
}
