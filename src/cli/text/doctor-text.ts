import type { DoctorReport } from '../people/doctor.ts';
import { plain } from './plain.ts';

/** The report for people: a line a fact, what to do last. */
export function doctorText(report: DoctorReport): string {
  const { loopx, node, platform, hints } = report;
  const lines = [`loopx ${loopx}, Node ${node}, ${platform}`];
  if (!('store' in report)) lines.push('No workspace:', ...triedLines(report.workspace.tried));
  else lines.push(...storeLines(report));
  return plain([...lines, ...hints.map((hint) => `! ${hint}`)].join('\n'));
}

function storeLines(report: Extract<DoctorReport, { store: object }>): readonly string[] {
  const { workspace, store, counts, owner, presence, lastCommitAt } = report;
  return [
    `Workspace: ${workspace.root} (by ${workspace.source})`,
    ...(workspace.worktree === workspace.root ? [] : [`  working tree: ${workspace.worktree}`]),
    ...triedLines(workspace.tried),
    `Store: ${store.where}, version ${store.version}, ${store.problem ? `${store.problem.code}: ${store.problem.message}` : 'healthy'}`,
    ...(lastCommitAt === undefined ? [] : [`  last commit ${lastCommitAt}`]),
    `Ever: ${counts.commits} commits, ${counts.goals} goals, ${counts.todos} todos, ${counts.gates} gates, ${counts.evidence} evidence`,
    `Owner: answers need grade ${owner.minGrade}; ${owner.hasKey ? 'a key is set' : 'no key is set (loopx owner init)'}`,
    `Sessions: ${presence.length === 0 ? 'none' : ''}`.trimEnd(),
    ...presence.map(
      ({ host, pid, agents, standing, why }) => `  ${agents.join(', ')} (${host}, pid ${pid}): ${standing}, ${why}`,
    ),
  ];
}

function triedLines(tried: readonly { readonly source: string; readonly value: string; readonly why: string }[]) {
  return tried.map(({ source, value, why }) => `  tried ${source} ${value}: ${why}`);
}
