import type { GoalStatusQuery } from '../answer.ts';
import type { Event } from '../kernel/events.ts';
import { goalOf } from '../kernel/evolve.ts';
import type { State } from '../kernel/state.ts';
import type { Commit } from '../log/commit-log.ts';
import { answerBytes, cutAll, paged } from './shape.ts';

/** The commits about a goal, newest first, that fit the filters; with how many there are, so that nobody counts by hand. */
export function historyView(state: State, goal: string, commits: readonly Commit[], query: GoalStatusQuery) {
  const fits = commits.filter((commit) => isAbout(state, goal, commit) && matches(commit, query)).reverse();
  const page = paged(fits, (commit) => String(commit.version), shown, {
    cursor: query.cursor,
    limit: query.limit,
    bytes: query.limit === undefined ? answerBytes.usual : answerBytes.page,
  });
  const { items, ...counts } = page;
  return { goal, history: items, ...counts, count: fits.length };
}

function isAbout(state: State, goal: string, commit: Commit): boolean {
  return (commit.events as readonly Event[]).some((event) => {
    const name = goalOf(state, event);
    return name === undefined || name === goal;
  });
}

function matches(commit: Commit, query: GoalStatusQuery): boolean {
  const { kind, agent, from, to } = query;
  return (
    (kind === undefined || commit.events.some((event) => event.type === kind || event.type.startsWith(`${kind}.`))) &&
    (agent === undefined || commit.by.agent === agent.trim().toLowerCase()) &&
    (from === undefined || isAtOrAfter(commit, from)) &&
    (to === undefined || !isAfter(commit, to))
  );
}

/** A bound is a version, or a time in ISO 8601. */
function isAtOrAfter(commit: Commit, bound: string): boolean {
  return /^\d+$/.test(bound) ? commit.version >= Number(bound) : commit.at >= isoOf(bound);
}

function isAfter(commit: Commit, bound: string): boolean {
  return /^\d+$/.test(bound) ? commit.version > Number(bound) : commit.at > isoOf(bound);
}

function isoOf(bound: string): string {
  const time = Date.parse(bound);
  return Number.isNaN(time) ? bound : new Date(time).toISOString();
}

function shown(commit: Commit) {
  const { version, at, by, command, events } = commit;
  return { version, at, by: by.agent ?? by.owner, act: command.type, events: cutAll(events, 120, 10) };
}
