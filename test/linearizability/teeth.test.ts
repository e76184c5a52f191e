import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ControlPlane } from '../../src/state/control-plane.ts';
import { MemoryStore } from '../../src/state/log/memory-log.ts';
import { openControlPlane } from '../../src/state/open-control-plane.ts';
import { callTool } from '../../src/tools/call-tool.ts';
import type { Tool } from '../../src/tools/define-tool.ts';
import { toolNamed } from '../../src/tools/registry.ts';
import { forgetful, type OpenStore, sound, stale, withoutConflicts } from './broken-stores.ts';
import { checkHistory } from './check-history.ts';
import { type Caller, History } from './history.ts';
import { work } from './workload.ts';

const agents = 8;
let root: string;
const planes: ControlPlane[] = [];
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'loopx-teeth-'));
});
afterEach(async () => {
  await Promise.all(planes.splice(0).map((plane) => plane.close()));
  rmSync(root, { recursive: true, force: true });
});

/** A control plane in this process, with a session and a handle on the store of its own. */
async function planeOn(store: MemoryStore, open: OpenStore, agent: string): Promise<Caller> {
  const stateDir = join(root, '.loopx');
  const plane = await openControlPlane({ root, stateDir, env: { LOOPX_AGENT: agent }, log: open(store) });
  planes.push(plane);
  const caller = { host: 'teeth', kind: 'mcp' } as const;
  return {
    agent,
    call: (name, args) => {
      const tool = toolNamed(name) as Tool;
      return callTool(
        tool,
        args,
        async () => ({ plane }),
        caller,
        (open, parsed) => tool.run(open, parsed, caller),
      );
    },
  };
}

async function problemsOn(open: OpenStore): Promise<readonly string[]> {
  const store = new MemoryStore();
  const callers = await Promise.all(Array.from({ length: agents }, (_, at) => planeOn(store, open, `agent${at}`)));
  const history = new History();
  await work(history, { callers, lanes: 3, calls: 15, seed: 7 });
  expect(store.commits.length).toBeGreaterThan(agents);
  return checkHistory(history, store.commits);
}

describe('the check of a history', () => {
  test('finds nothing in that of a sound store', async () => {
    expect(await problemsOn(sound)).toEqual([]);
  });

  test('finds what a store did whose conflict check is removed [R13]', async () => {
    const problems = await problemsOn(withoutConflicts);
    expect(problems.filter((problem) => problem.includes('on the state before it the kernel decides'))).not.toEqual([]);
  });

  test('finds acknowledged writes that a store did not keep [R13]', async () => {
    const problems = await problemsOn(forgetful());
    expect(problems.filter((problem) => problem.includes('acknowledged, but not in the log'))).not.toEqual([]);
  });

  test('finds reads of a state that was over before they were sent', async () => {
    const problems = await problemsOn(stale);
    expect(problems.filter((problem) => problem.includes('though before it was sent'))).not.toEqual([]);
  });
});
