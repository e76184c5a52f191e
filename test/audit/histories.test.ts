import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { derive } from '../../src/audit/derive.ts';
import { readGiven } from '../../src/audit/read-log.ts';
import { openMemoryLog } from '../../src/state/log/memory-log.ts';
import { Replica } from '../../src/state/replica.ts';
import { agentAct, files, ownerAct, seeded } from '../state/kernel/play.ts';
import { caller, Workspace } from './workspace.ts';

const seeds = process.env.LOOPX_AUDIT_SEEDS?.split(',').map(Number) ?? [1, 2, 3, 4];
const actsEach = 300;
const agents = ['ann', 'bob', 'cat', 'dan'];

describe('An audit after a random history of four agents and their owner', () => {
  it.each(seeds)('is clean, whatever they did (seed %i) [R13]', { timeout: 120_000 }, async (seed) => {
    const log = openMemoryLog();
    const workspace = await Workspace.open(log);
    try {
      for (const file of files) mkdirSync(join(workspace.root, file, '..'), { recursive: true });
      for (const file of files) workspace.file(file, 'text');
      for (const goal of ['parser', 'other']) {
        const start = { type: 'goal.start', goal, objective: goal, acceptance: ['works', 'is fast'] } as const;
        await workspace.act({ ...start, todos: [{ title: 'first', covers: ['A1'] }, { title: 'second' }] });
      }
      const follower = new Replica(log);
      const pick = seeded(seed);
      for (let at = 0; at < actsEach; at++) {
        const state = await follower.catchUp();
        if (pick(4) === 0) await workspace.own(ownerAct(state, pick));
        else {
          const agent = agents[pick(4)] as string;
          await workspace.act(agentAct(state, agent, pick), agent);
        }
        if (pick(20) === 0) workspace.file(files[pick(2)] as string, `text ${at}`);
      }
      const audit = await workspace.plane.query({ type: 'audit', deep: true }, caller('ann'));
      expect(audit).toMatchObject({ differences: [], clean: true });
      const facts = derive(readGiven(await log.read(0)).commits);
      expect(facts.breaches).toEqual([]);
      expect(facts.version).toBeGreaterThan(40);
    } finally {
      await workspace.remove();
    }
  });
});
