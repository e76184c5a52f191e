import { version } from '../version.ts';
import type { Scope } from './host-table.ts';
import { findInstalled } from './installed.ts';
import type { Machine } from './machine.ts';
import { type Change, carryOut, planConnect, planDisconnect, refusalOf } from './plan.ts';
import { startCommand } from './start-command.ts';
import { type Choice, connectTargets, disconnectTargets } from './targets.ts';

export type Deed = 'connect' | 'disconnect';

/** What became of one file, or would. */
export interface FileReport {
  readonly host: string;
  readonly title: string;
  readonly scope: Scope;
  readonly file?: string;
  readonly status: 'would-write' | 'written' | 'removed' | 'nothing-to-do' | 'left';
  readonly diff?: string;
  readonly backup?: string;
  /** Why it was left as it is. */
  readonly code?: string;
  readonly message?: string;
  readonly check?: string;
  readonly notes?: readonly string[];
}

export interface Plan {
  readonly deed: Deed;
  readonly changes: readonly Change[];
  /** Named hosts that have no file of the wanted scope. */
  readonly without: readonly FileReport[];
}

/** Everything that connect or disconnect would do; reads only. */
export function makePlan(deed: Deed, choice: Choice, machine: Machine, node: string): Plan {
  if (deed === 'disconnect') {
    return { deed, changes: disconnectTargets(choice, machine).map(planDisconnect), without: [] };
  }
  const installed = findInstalled(machine, version);
  const { targets, without } = connectTargets(choice, machine);
  const changes = targets.map((target) => {
    const { host, scope } = target;
    const isFarFromProject = host.isFarFromProject ?? false;
    return planConnect(
      target,
      host.entry(startCommand({ machine, scope, version, isFarFromProject, installed, node })),
    );
  });
  const left = without.map(({ host, scope }): FileReport => {
    const message =
      scope === 'project' && host.project !== undefined
        ? 'There is no project here; go into one, or use --scope user.'
        : `${host.title} has no file of scope ${scope}; use --scope ${scope === 'user' ? 'project' : 'user'}.`;
    return { host: host.name, title: host.title, scope, status: 'left', code: 'no-such-scope', message };
  });
  return { deed, changes, without: left };
}

/** Each file of the plan as it stands, nothing written. Of disconnect only the files that are concerned. */
export function reportPlan({ deed, changes, without }: Plan): readonly FileReport[] {
  const reports = changes.map((change) => reportOf(change, 'would-write'));
  return [...reports.filter(({ status }) => deed === 'connect' || status !== 'nothing-to-do'), ...without];
}

/**
 * Writes the plan, file by file: one that cannot be written does not keep the others from being written.
 * @param day as "2026-12-31", for the names of the backups
 */
export function carryOutPlan(plan: Plan, machine: Machine, day: string): readonly FileReport[] {
  const changes = plan.changes.map((change) => {
    if (change.edit === undefined) return reportOf(change, 'nothing-to-do');
    try {
      const backup = carryOut(change, day);
      const report = reportOf(change, change.edit.text === undefined ? 'removed' : 'written');
      const { check } = change.host;
      const help = plan.deed === 'connect' ? { check, notes: notesOn(change, machine) } : {};
      return { ...report, ...(backup === undefined ? {} : { backup }), ...help };
    } catch (error) {
      return reportOf({ ...change, refusal: refusalOf(error) }, 'left');
    }
  });
  return [...changes.filter(({ status }) => plan.deed === 'connect' || status !== 'nothing-to-do'), ...plan.without];
}

function reportOf(change: Change, status: FileReport['status']): FileReport {
  const { host, scope, path, edit, refusal } = change;
  const base = { host: host.name, title: host.title, scope, file: path };
  if (refusal !== undefined) return { ...base, status: 'left', ...refusal };
  if (edit === undefined) return { ...base, status: 'nothing-to-do' };
  return { ...base, status, diff: edit.diff };
}

function notesOn({ host, scope }: Change, machine: Machine): readonly string[] {
  const place =
    machine.project === undefined
      ? `${host.title} starts servers outside every project: run connect again inside the project that it is to serve.`
      : `${host.title} serves one project at a time this way: ${machine.project}.`;
  const shared = 'The command is written for Windows; people on other systems need `npx` without `cmd /c` before it.';
  return [
    ...[host.notes?.[scope]].filter((note) => note !== undefined),
    ...(host.isFarFromProject ? [place] : []),
    ...(scope === 'project' && machine.platform === 'win32' ? [shared] : []),
  ];
}
