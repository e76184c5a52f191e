import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Answer } from '../../src/state/answer.ts';
import type { Commit } from '../../src/state/log/commit-log.ts';
import { readByTheRule } from '../crash/independent-reader.ts';
import { Project } from '../e2e/project.ts';
import { checkHistory } from './check-history.ts';
import { type Caller, History } from './history.ts';
import { work } from './workload.ts';

const runs = Number(process.env.LOOPX_LINEAR_RUNS ?? 2);
const processes = 8;
const lanes = 3;
const calls = 12;

let project: Project;
beforeEach(async () => {
  project = await Project.make();
});
afterEach(() => project.remove());

/** A server process of its own behind real stdio. */
async function server(agent: string): Promise<Caller> {
  const client = await project.client(agent);
  return { agent, call: async (tool, args) => (await client.call(tool, args)) as Answer };
}

for (let run = 1; run <= runs; run++) {
  test(`run ${run}: what 8 servers answered over stdio is what one control plane would have, one call at a time [R3] [R13] [R35]`, async () => {
    const callers = await Promise.all(Array.from({ length: processes }, (_, at) => server(`agent${at}`)));
    const history = new History();
    await work(history, { callers, lanes, calls, seed: run });
    const commits = readByTheRule(join(project.dir, '.loopx', 'log')) as unknown as readonly Commit[];
    expect(history.operations.length).toBeGreaterThan(processes * lanes * calls);
    expect(commits.length).toBeGreaterThan(processes * lanes);
    expect(checkHistory(history, commits)).toEqual([]);
  }, 120_000);
}
