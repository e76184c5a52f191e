import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Act } from '../../src/state/kernel/commands.ts';
import { decide } from '../../src/state/kernel/decide.ts';
import { evolveCommit } from '../../src/state/kernel/evolve.ts';
import { initialState } from '../../src/state/kernel/state.ts';
import { nothingSeen } from '../../src/state/kernel/view.ts';
import { encodeLine, hashLine } from '../../src/state/log/codec.ts';
import type { Commit } from '../../src/state/log/commit-log.ts';
import { nodeCrypto } from '../../src/state/node-crypto.ts';
import { factsOf } from '../../src/state/replica.ts';

/**
 * Makes a long log in memory and writes it at once, since thousands of commits through a server would wait for as many
 * syncs of the disk. Each commit is one that the kernel decided.
 */
export class SeedLog {
  state = initialState();
  readonly #agent: string;
  readonly #lines: Buffer[] = [];
  #at: number;

  /** @param agoS how long ago the first commit is stamped; each one is a millisecond later */
  constructor(agent: string, agoS: number) {
    this.#agent = agent;
    this.#at = Date.now() - agoS * 1_000;
  }

  get version(): number {
    return this.state.version;
  }

  /** Throws when the kernel refuses, which is a fault of the test. */
  act(act: Act): void {
    const at = this.#at++;
    const session = 'seed';
    const command = {
      act,
      actor: {
        kind: 'agent',
        agent: this.#agent,
        fallback: this.#agent,
        session,
        sessionKind: 'mcp',
        host: 'seed',
        hostSession: undefined,
      },
      wall: at,
      seen: nothingSeen,
      key: undefined,
      digest: '',
    } as const;
    const decided = decide(command, this.state, nodeCrypto);
    if ('refusal' in decided) throw new Error(`The seed was refused: ${decided.refusal.message}`);
    const last = this.#lines.at(-1);
    const commit: Commit = {
      v: 1,
      version: this.version + 1,
      prev: last === undefined ? '' : hashLine(last.subarray(0, -1)),
      id: `seed-${this.version + 1}`,
      at: new Date(decided.at).toISOString(),
      by: { agent: decided.agent, session, host: 'seed' },
      command: { type: act.type },
      events: decided.events,
      ...(last === undefined && { log: 'seed-log', features: [] }),
    };
    this.#lines.push(encodeLine(commit));
    this.state = evolveCommit(this.state, factsOf(commit));
  }

  /** Writes the log where a server that works in this folder finds it. */
  async write(projectDir: string): Promise<void> {
    const folder = join(projectDir, '.loopx', 'log');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(join(folder, '000001.jsonl'), Buffer.concat(this.#lines), { mode: 0o600 });
  }
}
