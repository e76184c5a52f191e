import assert from 'node:assert/strict';
import type { Actor } from '../../src/state/kernel/commands.ts';
import { type MemoryStore, openMemoryLog } from '../../src/state/log/memory-log.ts';
import { factsOf, Replica } from '../../src/state/replica.ts';
import { dump } from '../state/kernel/dump.ts';
import { indexesFromScratch, indexesKept } from '../state/kernel/indexes.ts';
import { checkCommit } from '../state/kernel/invariants.ts';
import { agentAct, files, ownerAct, type Pick, seeded } from '../state/kernel/play.ts';
import { type Sent, SimulatedProcess, type Written } from './process.ts';
import { SimulatedWorld } from './world.ts';

const agents = ['ann', 'bob', 'cat', 'dan', 'eve'];
const owner: Actor = { kind: 'owner', name: 'Olga', channel: 'cli', grade: 'confirmed' };

/** What happened in one run, so that a run in which nothing happens cannot pass for a good one. */
export interface Tally {
  commits: number;
  conflicts: number;
  crashes: number;
  lostAnswers: number;
  takeovers: number;
  corrections: number;
}

/** Five agents and their owner on one log: crashes, pauses, clock jumps, conflicts; everything follows from the seed. */
export class Simulation {
  readonly tally: Tally = { commits: 0, conflicts: 0, crashes: 0, lostAnswers: 0, takeovers: 0, corrections: 0 };
  readonly #pick: Pick;
  readonly #store: MemoryStore;
  readonly #world = new SimulatedWorld();
  readonly #processes = new Map<string, SimulatedProcess>();
  /** Commands whose answer never came; whoever sent them sends them again. */
  readonly #unanswered = new Map<string, Sent>();
  readonly #acknowledged = new Map<number, string>();
  readonly #checker: Replica;
  #sent = 0;
  #started = 0;

  constructor(seed: number, store: MemoryStore) {
    this.#pick = seeded(seed);
    this.#store = store;
    this.#checker = new Replica(openMemoryLog(store));
    for (const file of files) this.#world.files[file] = 'one';
    for (const name of [...agents, 'owner']) this.#start(name);
  }

  async run(steps: number): Promise<void> {
    const starter = this.#processes.get('ann') as SimulatedProcess;
    for (const goal of ['parser', 'other']) {
      const quota = { allowedSlots: 9, tokens: 200, windowH: 2 };
      const todos = [{ title: 'first', covers: ['A1'] }, { title: 'second' }];
      await this.#send(
        starter,
        this.#new({ type: 'goal.start', goal, objective: goal, acceptance: ['fast'], quota, todos }),
      );
    }
    for (let step = 0; step < steps; step++) await this.#step();
    await this.#checkEnd();
  }

  async #step(): Promise<void> {
    const pick = this.#pick;
    this.#world.now += pick(20) === 0 ? pick(4_000_000) : pick(20_000);
    const name = pick(8) === 0 ? 'owner' : (agents[pick(agents.length)] as string);
    const process = this.#processes.get(name) as SimulatedProcess;
    for (const other of this.#processes.values()) {
      if (other.pausedUntil <= this.#world.now) this.#world.beat(other.session, other.wall);
    }
    if (process.pausedUntil > this.#world.now) return;
    switch (pick(16)) {
      case 0:
        return this.#crash(name);
      case 1:
        process.pausedUntil = this.#world.now + pick(8_000_000);
        return;
      case 2:
        process.skewMs = [0, 0, 5_000, -400_000, 3_600_000, -3_600_000, 86_400_000][pick(7)] as number;
        return;
      case 3:
        this.#world.files[files[pick(2)] as string] = [null, 'one', 'two'][pick(3)] as string | null;
        return;
      default:
        return this.#work(name, process);
    }
  }

  /** Goes on with what is under way, sends again what was not answered, or sends something new. */
  async #work(name: string, process: SimulatedProcess): Promise<void> {
    if (process.underWay) return this.#append(process);
    const state = await process.replica.catchUp();
    const unanswered = this.#unanswered.get(name);
    this.#unanswered.delete(name);
    await this.#send(
      process,
      unanswered ?? this.#new(name === 'owner' ? ownerAct(state, this.#pick) : agentAct(state, name, this.#pick)),
    );
  }

  #new(act: Sent['act']): Sent {
    this.#sent++;
    return { act, key: `k${this.#sent}` };
  }

  async #send(process: SimulatedProcess, sent: Sent): Promise<void> {
    const isWriting = await process.decide(sent);
    // Between the decision and the append the process may be stopped for any time, or die.
    if (isWriting && this.#pick(4) > 0) await this.#append(process);
  }

  async #append(process: SimulatedProcess): Promise<void> {
    for (let tries = 0; tries < 3; tries++) {
      const written = await process.append();
      if (written === 'conflict') this.tally.conflicts++;
      else if (written) return this.#acknowledge(written);
    }
  }

  #acknowledge(written: Written): void {
    const { commit } = written;
    this.#acknowledged.set(commit.version, commit.id);
    this.tally.commits++;
    const before = this.#checker.state;
    this.#checker.follow([commit]);
    const facts = factsOf(commit);
    for (const event of facts.events) {
      if (event.type === 'claim.taken-over') this.tally.takeovers++;
      if (event.type === 'clock.corrected') this.tally.corrections++;
    }
    const { actor, files: seenFiles } = written;
    checkCommit({ before, after: this.#checker.state, commit: facts, actor, files: seenFiles });
    // Now and then the answer is lost on its way, and the same command comes again.
    if (this.#pick(10) === 0) this.#loseAnswer(written);
  }

  #loseAnswer({ sent, actor }: Written): void {
    this.tally.lostAnswers++;
    const name = actor.kind === 'owner' ? 'owner' : (actor.agent ?? '');
    this.#unanswered.set(name, sent);
    if (this.#pick(2) === 0) this.#crash(name);
  }

  /** The process is gone at whatever it was; another of the same agent starts, with a session of its own. */
  #crash(name: string): void {
    const old = this.#processes.get(name) as SimulatedProcess;
    this.tally.crashes++;
    this.#world.end(old.session);
    if (old.underWay && !this.#unanswered.has(name)) this.#unanswered.set(name, old.underWay.sent);
    this.#start(name);
  }

  #start(name: string): void {
    this.#started++;
    const session = `s-${name}-${this.#started}`;
    const agent: Actor = {
      kind: 'agent',
      agent: name,
      fallback: name,
      session,
      sessionKind: 'mcp',
      host: 'test',
      ...(name === 'eve' && { hostSession: 'h-eve' }),
    };
    const process = new SimulatedProcess(openMemoryLog(this.#store), this.#world, name === 'owner' ? owner : agent);
    this.#processes.set(name, process);
    if (name !== 'owner') this.#world.appear(session, this.#pick(6) === 0, process.wall);
  }

  /** Nothing acknowledged is lost, no key had two effects, and everybody who reads the log comes to the same state. */
  async #checkEnd(): Promise<void> {
    const { commits } = this.#store;
    for (const [version, id] of this.#acknowledged)
      assert.equal(commits[version - 1]?.id, id, `commit ${version} is lost`);
    assert.equal(commits.length, this.#acknowledged.size);
    const keys = commits.map((commit) => `${commit.by.agent} ${commit.command.key}`);
    assert.equal(new Set(keys).size, keys.length, 'a key had two effects');
    const expected = dump(this.#checker.state);
    for (const process of this.#processes.values()) assert.equal(dump(await process.replica.catchUp()), expected);
    assert.deepEqual(indexesKept(this.#checker.state), indexesFromScratch(this.#checker.state));
  }
}
