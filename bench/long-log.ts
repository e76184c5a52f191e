import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Act } from '../src/state/kernel/commands.ts';
import { decide } from '../src/state/kernel/decide.ts';
import { evolveCommit } from '../src/state/kernel/evolve.ts';
import { initialState } from '../src/state/kernel/state.ts';
import { nothingSeen } from '../src/state/kernel/view.ts';
import { encodeLine, hashLine, sealedEvent } from '../src/state/log/codec.ts';
import type { LogEvent } from '../src/state/log/commit-log.ts';
import { logLimits } from '../src/state/log/limits.ts';
import { segmentPath } from '../src/state/log/segment-file.ts';
import { nodeCrypto } from '../src/state/node-crypto.ts';
import { factsOf } from '../src/state/replica.ts';

const agents = ['ann', 'bob', 'cyd', 'dan'];

/**
 * Writes a log of so many commits as agents would leave it, each decided by the kernel: todos are added, claimed, noted
 * on, written back about with evidence, and done. Answers its size in bytes.
 */
export function writeLongLog(stateDir: string, commits: number): number {
  const folder = join(stateDir, 'log');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  let state = initialState();
  let lines: Buffer[] = [];
  let [prev, segment, segmentBytes, bytes] = ['', 1, 0, 0];
  const flush = () => {
    writeFileSync(segmentPath(folder, segment++), Buffer.concat(lines), { mode: 0o600 });
    bytes += segmentBytes;
    [lines, segmentBytes] = [[], 0];
  };
  const store = (at: number, by: { [name: string]: string }, type: string, events: readonly LogEvent[]) => {
    const version = state.version + 1;
    const first = version === 1 ? { log: 'bench-log', features: [] } : {};
    const id = `commit-${String(version).padStart(14, '0')}`;
    const commit = {
      v: 1 as const,
      version,
      prev,
      ...first,
      id,
      at: new Date(at).toISOString(),
      by,
      command: { type },
      events,
    };
    const line = encodeLine(commit);
    prev = hashLine(line.subarray(0, -1));
    lines.push(line);
    segmentBytes += line.length;
    state = evolveCommit(state, factsOf(commit));
  };
  // All of it long ago, so that nothing spent is in the window any more and no claim still holds.
  let at = Date.now() - 30 * 24 * 3_600_000;
  const does = (agent: string, act: Act) => {
    const session = `session-of-${agent}`;
    const actor = { kind: 'agent', agent, fallback: agent, session, sessionKind: 'mcp', host: 'bench' } as const;
    const seen = { ...nothingSeen, hashed: [{ files: [], globs: [] }] };
    // So far apart that the slots of a day are never spent.
    at += 20_000;
    const decided = decide({ act, actor, wall: at, seen, digest: '' }, state, nodeCrypto);
    if ('refusal' in decided) throw new Error(`${act.type} was refused: ${decided.refusal.message}`);
    store(decided.at, { agent, session, host: 'bench' }, act.type, decided.events);
    if (segmentBytes < logLimits.segmentBytesMax) return;
    store(decided.at, { log: 'loopx' }, 'segment.seal', [{ type: sealedEvent }]);
    flush();
  };
  does('ann', { type: 'goal.start', goal: 'bench', objective: 'measure', acceptance: ['it works', 'it is told'] });
  for (let turn = 0; state.version < commits; turn++) {
    const agent = agents[turn % agents.length] as string;
    does(agent, { type: 'todo.add', todos: [{ title: `Part ${turn} of the importer`, covers: ['A1'] }] });
    const todo = `T${turn + 1}`;
    does(agent, { type: 'todo.claim', todo });
    for (let n = 0; n < 3; n++)
      does(agent, { type: 'todo.update', todo, note: `Step ${n} is taken; the fixtures are in test/data.` });
    const evidence = [{ kind: 'observation', summary: `Part ${turn} reads its fixtures`, result: 'pass' } as const];
    does(agent, {
      type: 'writeback',
      todo,
      outcome: 'primary',
      summary: `Part ${turn} works`,
      evidence,
      todoState: 'done',
    });
  }
  flush();
  return bytes;
}
