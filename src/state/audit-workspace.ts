import { compareLaws } from '../audit/compare-workspace.ts';
import { derive } from '../audit/derive.ts';
import type { Facts } from '../audit/facts.ts';
import { type LogReading, readGiven, readLog } from '../audit/read-log.ts';
import { changedSince, type Hashes } from '../audit/rehash.ts';
import type { Answer, Query } from './answer.ts';
import { Surfaces } from './audit-surfaces.ts';
import type { Actor } from './kernel/commands.ts';
import { findGoal } from './kernel/find.ts';
import type { State } from './kernel/state.ts';
import { type Reads, read } from './reads.ts';

type AuditQuery = Extract<Query, { type: 'audit' }>;

/** The answer stays within 8 KB, whatever there is to tell. */
const differencesBytesMax = 6_000;

/**
 * audit: what every surface shows, compared with what an independent reader derives from the log's bytes. Each answer
 * is compared at the version that it says it is true of, so that writers need not stand still meanwhile.
 *
 * @param ask how a surface is asked; as all tools do, if not told otherwise
 */
export async function auditWorkspace(
  reads: Reads,
  state: State,
  query: AuditQuery,
  actor: Actor,
  ask: typeof read = read,
): Promise<Answer> {
  const named = query.goal === undefined ? undefined : findGoal(state, query.goal);
  if (named && 'refusal' in named) return reads.refused(await reads.viewOf(actor, {}), named.refusal);
  const surfaces = new Surfaces(reads, { isDeep: query.deep === true, read: ask });
  const goals = named ? [named.goal] : [...derive((await readStore(reads)).commits).goals.keys()];
  await surfaces.askWorkspace(state.version);
  for (const goal of goals) await surfaces.askGoal(goal);

  // Read after all that was shown, so that the bytes reach at least as far.
  const reading = await readStore(reads);
  const facts = surfaces.compare(reading);
  compareLog(surfaces, reading, facts);
  const hashes = query.deep ? await rehash(reads.worktree, surfaces, facts) : undefined;
  const { from, to } = surfaces.versions(state.version);
  return reads.ok(await reads.viewOf(actor, {}), {
    version: facts.version,
    clean: surfaces.differences.list.length === 0,
    checked: {
      commits: facts.version,
      head: reading.commits.length === facts.version ? reading.head : reading.commits[facts.version]?.prev,
      bytes: reading.isFromFiles ? 'read from the files' : 'not read from files but taken as the store gives them',
      ...checkedIn(facts, goals),
      signatures: facts.signatures.good,
      ...(hashes !== undefined && { hashes }),
      answers: surfaces.asked,
      ...(from !== to && { moved: `from version ${from} to ${to}; each answer was compared at its own` }),
    },
    ...surfaces.differences.cut(differencesBytesMax),
  });
}

async function readStore(reads: Reads): Promise<LogReading> {
  const { store, where } = await reads.log.health();
  return store === 'file' ? readLog(where) : readGiven(await reads.log.read(0));
}

/** What is wrong with the log itself: its chain, its length, and what the rules forbid. */
function compareLog(surfaces: Surfaces, reading: LogReading, facts: Facts): void {
  const tell = surfaces.differences.on('log');
  if (reading.damage !== undefined) tell.differ('chain', 'whole', reading.damage);
  tell.same('version', surfaces.versions(facts.version).to, facts.version);
  compareLaws(tell, facts);
}

/** How much there was to compare. */
function checkedIn(facts: Facts, goals: readonly string[]) {
  const inGoals = <T extends { readonly goal: string }>(things: ReadonlyMap<string, T>) =>
    [...things.values()].filter((thing) => goals.includes(thing.goal));
  const spends = goals.flatMap((goal) => facts.goals.get(goal)?.spends ?? []);
  const todos = inGoals(facts.todos);
  return {
    goals: goals.length,
    todos: todos.length,
    gates: inGoals(facts.gates).length,
    evidence: inGoals(facts.evidence).length,
    claims: todos.filter((todo) => todo.claim !== undefined).length,
    spentSlots: spends.reduce((sum, spend) => sum + spend.slots, 0),
  };
}

/** Hashes again what evidence rests on that is shown fresh; answers how many files were read. */
async function rehash(root: string, surfaces: Surfaces, facts: Facts): Promise<number> {
  const hashes: Hashes = new Map();
  for (const id of surfaces.fresh) {
    const evidence = facts.evidence.get(id);
    const changed = evidence && (await changedSince(root, evidence, hashes));
    // A file that was changed after the list was read is no fault of the list.
    if (changed !== undefined && (await surfaces.isFresh(id)))
      surfaces.differences.on('files').differ(`${id} fresh`, true, changed);
  }
  return hashes.size;
}
