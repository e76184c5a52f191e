import { wallIso } from '../kernel/clock.ts';
import { gradeOf, staleness } from '../kernel/freshness.ts';
import type { Evidence } from '../kernel/model.ts';
import type { View } from '../kernel/view.ts';

/** Evidence as every answer shows it; `fresh` and `stale` are judged on the files as they are now. */
export function evidenceView(view: View, evidence: Evidence) {
  const why = staleness(view, evidence);
  const { todo, commit, command, url, metrics, validForS, supersedes, supersededBy, confirms, acceptedBy } = evidence;
  const optional = { todo, commit, command, url, metrics, validForS, supersedes, supersededBy, confirms, acceptedBy };
  return {
    evidence: evidence.evidence,
    goal: evidence.goal,
    kind: evidence.kind,
    result: evidence.result,
    summary: evidence.summary,
    criteria: evidence.criteria,
    grade: gradeOf(evidence),
    fresh: why === undefined,
    ...(why !== undefined && { stale: why }),
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)),
    ...(evidence.files.length > 0 && { files: evidence.files }),
    ...(evidence.globs.length > 0 && {
      globs: evidence.globs.map(({ glob, sha256, count }) => ({ glob, sha256, count })),
    }),
    ...(evidence.confirmedBy.length > 0 && { confirmedBy: evidence.confirmedBy.map((one) => one.agent) }),
    by: evidence.by,
    at: wallIso(view.state, evidence.at),
    version: evidence.version,
  };
}
