import { accessSync, constants, existsSync } from 'node:fs';
import { join } from 'node:path';
import { readHorizons } from '../../state/horizons.ts';
import { knowsEvent } from '../../state/kernel/event-types.ts';
import type { Event } from '../../state/kernel/events.ts';
import { type Commit, StoreError, type StoreHealth } from '../../state/log/commit-log.ts';
import { openFileLog } from '../../state/log/file-log.ts';
import { PresenceStore } from '../../state/presence/presence-store.ts';
import { selfIdentity } from '../../state/presence/process-identity.ts';
import { sight } from '../../state/presence/sight.ts';
import type { WorkspaceResult } from '../../state/workspace/find-workspace.ts';
import { version } from '../../version.ts';
import { agentShellMark } from '../agent-shell.ts';
import type { CliCall } from '../cli-call.ts';
import { exitCodes } from '../exit-code.ts';
import { defaultKeyFile } from '../owner-key.ts';
import { doctorText } from '../text/doctor-text.ts';

type Place = Extract<WorkspaceResult, { ok: true }>;

/** Everything that helps to see why something does not work. It goes round the control plane, which may be what is ill. */
export async function doctor(call: CliCall): Promise<void> {
  const report = await reportOf(call);
  call.exitCode = report.ok ? exitCodes.ok : !('store' in report) ? exitCodes.refusal : exitCodes.storeTrouble;
  call.line(call.common.json ? JSON.stringify(report) : doctorText(report));
}

export type DoctorReport = Awaited<ReturnType<typeof reportOf>>;

async function reportOf(call: CliCall) {
  const place = call.findWorkspace();
  const machine = { loopx: version, node: process.version, platform: `${process.platform} ${process.arch}` };
  if (!place.ok) {
    const hints = ['Start inside a project, or set LOOPX_WORKSPACE or --workspace to its folder.'];
    return { ok: false, version: 0, code: 'no-workspace', ...machine, workspace: { tried: place.tried }, hints };
  }
  const { root, stateDir, worktree, source, tried } = place;
  const { health, commits } = await readStore(place);
  const owner = ownerOf(call, commits);
  const presence = presenceOf(call, stateDir);
  return {
    ok: health.problem === undefined,
    version: health.version,
    ...machine,
    workspace: { root, stateDir, worktree, source, tried },
    store: health,
    counts: countsOf(commits),
    lastCommitAt: commits.at(-1)?.at,
    owner,
    presence,
    hints: hintsOf(call, place, health, commits, owner),
  };
}

/** The store's health with the commits before the damage, if there is any. */
async function readStore(place: Place): Promise<{ health: StoreHealth; commits: readonly Commit[] }> {
  const log = openFileLog({ stateDir: place.stateDir, knowsEvent });
  try {
    const health = await log.health();
    const commits = await log.read(0).catch((error: unknown) => {
      if (error instanceof StoreError) return [];
      throw error;
    });
    return { health, commits };
  } catch (error) {
    // The folder cannot even be looked at.
    const message = `${place.stateDir} cannot be read (${(error as Error).message}).`;
    const where = join(place.stateDir, 'log');
    return { health: { store: 'file', where, version: 0, problem: { code: 'store-read-only', message } }, commits: [] };
  } finally {
    await log.close();
  }
}

const counted = {
  goals: 'goal.started',
  todos: 'todo.added',
  gates: 'gate.asked',
  evidence: 'evidence.written',
} as const;

function countsOf(commits: readonly Commit[]) {
  const counts = { commits: commits.length, goals: 0, todos: 0, gates: 0, evidence: 0 };
  for (const { events } of commits)
    for (const { type } of events)
      for (const [name, event] of Object.entries(counted)) if (type === event) counts[name as keyof typeof counted]++;
  return counts;
}

function ownerOf(call: CliCall, commits: readonly Commit[]) {
  const owner = { hasKey: false, minGrade: 'confirmed', keyFile: defaultKeyFile(call.env) };
  for (const event of commits.flatMap((commit) => commit.events as readonly Event[])) {
    if (event.type === 'owner.key-set') owner.hasKey = true;
    if (event.type === 'owner.min-grade-set') owner.minGrade = event.minGrade;
  }
  return { ...owner, isKeyFileHere: existsSync(owner.keyFile) };
}

function presenceOf(call: CliCall, stateDir: string) {
  const self = selfIdentity();
  const { idleAfterS } = readHorizons(stateDir, call.env);
  return new PresenceStore(stateDir, self).list().map((record) => {
    const seen = sight(record, Date.now(), idleAfterS, self);
    const { session, host, identity } = record;
    return { session, host, pid: identity.pid, agents: seen.agents, standing: seen.standing, why: seen.why };
  });
}

function hintsOf(
  call: CliCall,
  place: Place,
  health: StoreHealth,
  commits: readonly Commit[],
  owner: { readonly hasKey: boolean; readonly minGrade: string },
): readonly string[] {
  const mark = agentShellMark(call.env);
  return [
    ...(health.problem
      ? [`The store has a problem; \`loopx log export\` saves what is good. ${health.problem.message}`]
      : []),
    ...(canWrite(place) ? [] : [`${place.root} cannot be written by this user, so nothing can be kept there.`]),
    ...(commits.length === 0 && !health.problem
      ? ['Nothing was ever written here: `loopx goal start --objective "…"` begins.']
      : []),
    ...(place.tried.length > 0
      ? [`${place.tried.map(({ source }) => source).join(', ')} would not do; see tried.`]
      : []),
    ...(owner.minGrade === 'signed' && !owner.hasKey ? ['Answers need grade signed, but no owner key is set.'] : []),
    ...(mark === undefined ? [] : [`Owner's answers are not taken here: ${mark}.`]),
  ];
}

function canWrite({ root, stateDir }: Place): boolean {
  try {
    accessSync(existsSync(stateDir) ? stateDir : root, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
