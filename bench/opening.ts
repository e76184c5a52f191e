import { execFileSync } from 'node:child_process';
import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Figure, Side } from './compare.ts';
import { writeLongLog } from './long-log.ts';
import { Workspace } from './workspace.ts';

const commits = 100_000;

/** Opening a long log in a fresh process, with and without a snapshot, beside reading and parsing its bytes. */
export async function opening(): Promise<readonly Figure[]> {
  const { root, stateDir } = new Workspace();
  const bytes = writeLongLog(stateDir, commits);
  const [snapshot, aside] = [join(stateDir, 'snapshot.json'), join(stateDir, 'snapshot.aside')];
  const run = (how: string) =>
    Number(
      execFileSync(process.execPath, [join(import.meta.dirname, 'opening-process.mjs'), how, root], {
        encoding: 'utf8',
      }),
    );
  const opened = (isWithSnapshot: boolean) => () => {
    if (isWithSnapshot !== existsSync(snapshot))
      renameSync(...(isWithSnapshot ? ([aside, snapshot] as const) : ([snapshot, aside] as const)));
    return run('open');
  };
  run('write');
  const beside: Side = {
    name: `reading and parsing the same ${(bytes / 1e6).toFixed(0)} MB`,
    measure: () => run('parse'),
  };
  const rounds = { unit: 'ms', rounds: 5, warmUps: 1, beside };
  const count = commits.toLocaleString('en');
  return [
    {
      name: `opening ${count} commits with a snapshot`,
      ours: { name: 'open and answer quota_should_run', measure: opened(true) },
      aim: { atMost: 0.1 },
      ...rounds,
    },
    {
      name: `opening ${count} commits without`,
      ours: { name: 'open and answer quota_should_run', measure: opened(false) },
      aim: { atMost: 3 },
      ...rounds,
    },
  ];
}
