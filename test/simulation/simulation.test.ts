import { describe, expect, it } from 'vitest';
import { MemoryStore } from '../../src/state/log/memory-log.ts';
import { Simulation, type Tally } from './simulation.ts';

const replayed = process.env.LOOPX_SIM_SEED;
const count = Number(process.env.LOOPX_SIM_SEEDS ?? 100);
const seeds = replayed === undefined ? Array.from({ length: count }, (_, at) => at + 1) : [Number(replayed)];
const steps = 150;

async function runSeed(seed: number): Promise<Tally> {
  const simulation = new Simulation(seed, new MemoryStore());
  try {
    await simulation.run(steps);
  } catch (error) {
    const { message, stack } = error as Error;
    throw new Error(`LOOPX_SIM_SEED=${seed} replays this: ${message}\n${stack}`, { cause: error });
  }
  return simulation.tally;
}

describe('five agents and their owner on one log', () => {
  it(
    'keep every promise of the kernel through crashes, pauses, clock jumps and conflicts, whatever the seed [R13, R14, R27, R36, R37, R39]',
    async () => {
      console.log(`simulating ${seeds.length} seeds from ${seeds[0]}; LOOPX_SIM_SEED=<seed> replays one`);
      const sum: Tally = { commits: 0, conflicts: 0, crashes: 0, lostAnswers: 0, takeovers: 0, corrections: 0 };
      for (const seed of seeds) {
        const tally = await runSeed(seed);
        for (const name of Object.keys(sum) as (keyof Tally)[]) sum[name] += tally[name];
      }
      console.log(JSON.stringify(sum));
      if (replayed !== undefined) return;
      for (const [name, total] of Object.entries(sum)) expect(total, `no ${name} in ${count} seeds`).toBeGreaterThan(0);
    },
    Math.max(60_000, seeds.length * 1_000),
  );

  it('do the same again from the same seed', async () => {
    const stores = [new MemoryStore(), new MemoryStore()];
    for (const store of stores) await new Simulation(7, store).run(steps);
    const [first, second] = stores.map((store) => store.commits.map(({ id, at, events }) => ({ id, at, events })));
    expect(first?.length).toBeGreaterThan(20);
    expect(second).toEqual(first);
  });
});
