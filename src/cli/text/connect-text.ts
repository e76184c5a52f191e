import type { Deed, FileReport } from '../../connect/connect.ts';
import type { Host } from '../../connect/host-table.ts';
import { plain } from './plain.ts';

/** What connect or disconnect would do, with the diffs. */
export function planText(deed: Deed, reports: readonly FileReport[], known: readonly Host[]): string {
  if (reports.length === 0) {
    return deed === 'disconnect'
      ? 'Nothing to do: no host here has loopx.'
      : `No host was found here. Name one: ${known.map(({ name }) => `--host ${name}`).join(', ')}`;
  }
  return reports.map(planPart).join('\n\n');
}

function planPart(report: FileReport): string {
  const where = headOf(report);
  if (report.status === 'left') return plain(`${where} is left as it is. ${report.message ?? ''}`);
  if (report.diff === undefined) return plain(`${where}: nothing to do`);
  return plain(`${where}\n${report.diff}`);
}

/** What became of the files, and how to see that it works. */
export function doneText(reports: readonly FileReport[]): string {
  const parts = reports.map((report) => {
    if (report.status === 'left') return `${headOf(report)} is left as it is. ${report.message ?? ''}`;
    if (report.status === 'removed') return `Removed ${headOf(report)}`;
    if (report.status !== 'written') return '';
    const backup = report.backup === undefined ? '' : `\n  as it was before: ${report.backup}`;
    const check = report.check === undefined ? '' : `\n  to check: ${report.check}`;
    const notes = (report.notes ?? []).map((note) => `\n  ${note}`).join('');
    return `Wrote ${headOf(report)}${backup}${check}${notes}`;
  });
  return plain(`\n${parts.filter((part) => part !== '').join('\n')}`);
}

function headOf({ title, scope, file }: FileReport): string {
  return `${title} (${scope})${file === undefined ? '' : ` ${file}`}`;
}
