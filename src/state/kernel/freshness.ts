import type { Seen } from './commands.ts';
import type { Criterion, Evidence, EvidenceGrade, Todo } from './model.ts';
import { goalIndex, type State } from './state.ts';

/** What freshness is judged by: the folded log, the time, and the files as they are now. */
export interface Freshness {
  readonly state: State;
  readonly at: number;
  readonly seen: Pick<Seen, 'files' | 'globs'>;
}

/** Why the evidence is stale, in a few words that name the file; undefined while it is fresh. */
export function staleness(now: Freshness, evidence: Evidence): string | undefined {
  if (evidence.supersededBy !== undefined) return `superseded by ${evidence.supersededBy}`;
  if (evidence.validForS !== undefined && now.at > evidence.at + evidence.validForS * 1_000) {
    return `was valid for ${evidence.validForS} s`;
  }
  for (const file of evidence.files) {
    const is = now.seen.files[file.path];
    if (is === undefined) return `${file.path} was not looked at`;
    if (is === null) return `${file.path} is gone`;
    if (is !== file.sha256) return `${file.path} changed`;
  }
  for (const glob of evidence.globs) {
    const is = now.seen.globs[glob.glob];
    if (is === undefined) return `${glob.glob} was not looked at`;
    if (is === null) return `${glob.glob} cannot be read`;
    if (is.sha256 === glob.sha256) continue;
    const changed = glob.files.find((file) => !is.files.some((f) => f.path === file.path && f.sha256 === file.sha256));
    return changed ? `${changed.path} of ${glob.glob} changed` : `${glob.glob} matches other files`;
  }
  return undefined;
}

/** How much the evidence is worth; nobody raises their own. */
export function gradeOf(evidence: Evidence): EvidenceGrade {
  if (evidence.acceptedBy !== undefined) return 'owner';
  if (evidence.confirmedBy.length > 0) return 'peer';
  const isPinned = evidence.files.length > 0 || evidence.globs.length > 0 || evidence.commit !== undefined;
  return isPinned ? 'pinned' : 'claimed';
}

/** What stands between a todo and done: per criterion, what it lacks. Empty when it may be done. */
export interface Lack {
  readonly criterion: string;
  readonly lacks: string;
}

export function lacksOf(now: Freshness, todo: Todo): readonly Lack[] {
  const records = todo.evidence.map((id) => now.state.evidence.get(id) as Evidence);
  const live = todo.acceptance.filter((criterion) => criterion.dropped === undefined);
  if (live.length === 0) {
    const lacks = lackAmong(now, records);
    return lacks === undefined ? [] : [{ criterion: 'any', lacks }];
  }
  return live.flatMap(({ id }) => {
    const lacks = lackAmong(
      now,
      records.filter((record) => record.criteriaBelongTo === 'todo' && record.criteria.includes(id)),
    );
    return lacks === undefined ? [] : [{ criterion: id, lacks }];
  });
}

function lackAmong(now: Freshness, records: readonly Evidence[]): string | undefined {
  const passing = records.filter((record) => record.result === 'pass');
  const stale: string[] = [];
  for (const record of passing) {
    const why = staleness(now, record);
    if (why === undefined) return undefined;
    stale.push(`${record.evidence} is stale: ${why}`);
  }
  if (stale.length > 0) return stale[stale.length - 1] as string;
  const last = records[records.length - 1];
  return last ? `passing evidence (${last.evidence} says ${last.result})` : 'passing evidence';
}

export interface CriterionStanding {
  readonly criterion: string;
  readonly text: string;
  readonly state: 'open' | 'met' | 'dropped';
  /** The best evidence that meets it and is fresh. */
  readonly evidence?: Evidence;
  /** Why evidence that spoke for it counts no more. */
  readonly stale?: string;
}

/** How each of a goal's criteria stands on the evidence as it is now. */
export function criteriaOf(now: Freshness, name: string): readonly CriterionStanding[] {
  const goal = now.state.goals.get(name);
  const speaks = goalIndex(now.state, name).speaks;
  return (goal?.acceptance ?? []).map(({ id, text, dropped }) => {
    const shown = { criterion: id, text };
    if (dropped !== undefined) return { ...shown, state: 'dropped' };
    let stale: string | undefined;
    let best: Evidence | undefined;
    for (const evidenceId of speaks[id]?.keys() ?? []) {
      const record = now.state.evidence.get(evidenceId) as Evidence;
      const why = staleness(now, record);
      if (why !== undefined) stale = `${evidenceId}: ${why}`;
      else if (!best || grades.indexOf(gradeOf(record)) > grades.indexOf(gradeOf(best))) best = record;
    }
    if (best) return { ...shown, state: 'met', evidence: best };
    return stale === undefined ? { ...shown, state: 'open' } : { ...shown, state: 'open', stale };
  });
}

/** The goal's criteria that nothing fresh speaks for. Newest evidence first: one fresh piece settles it. */
export function openCriteria(now: Freshness, name: string): readonly Criterion[] {
  const { speaks } = goalIndex(now.state, name);
  const isMet = (id: string) => {
    for (const one of speaks[id]?.keysBackwards() ?? [])
      if (staleness(now, now.state.evidence.get(one) as Evidence) === undefined) return true;
    return false;
  };
  const acceptance = now.state.goals.get(name)?.acceptance ?? [];
  return acceptance.filter(({ id, dropped }) => dropped === undefined && !isMet(id));
}

const grades: readonly EvidenceGrade[] = ['claimed', 'pinned', 'peer', 'owner'];
