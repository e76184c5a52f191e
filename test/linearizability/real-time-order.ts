import { inWords, type Operation } from './history.ts';

/** A call and where in the order of versions it took effect. */
export interface Placed {
  readonly operation: Operation;
  /** The version that its commit made, or whose state its answer is about. */
  readonly version: number;
  readonly isWrite: boolean;
}

/**
 * Of two calls the one of which ended before the other was sent, the later one sees what the earlier one did or saw: a
 * write has a higher version, and anything else none that is lower.
 */
export function brokenOrder(placed: readonly Placed[]): readonly string[] {
  const byEnd = [...placed].sort((a, b) => a.operation.endedAt - b.operation.endedAt);
  const byStart = [...placed].sort((a, b) => a.operation.invokedAt - b.operation.invokedAt);
  const problems: string[] = [];
  let ended = 0;
  let latest: Placed | undefined;
  for (const later of byStart) {
    for (; ended < byEnd.length; ended++) {
      const earlier = byEnd[ended] as Placed;
      if (earlier.operation.endedAt >= later.operation.invokedAt) break;
      if (latest === undefined || earlier.version > latest.version) latest = earlier;
    }
    if (latest === undefined) continue;
    const isInOrder = later.isWrite ? later.version > latest.version : later.version >= latest.version;
    if (isInOrder) continue;
    const what = later.isWrite ? 'made' : 'saw';
    problems.push(
      `${inWords(later.operation)} ${what} version ${later.version}, though before it was sent this had ended at ${latest.version}: ${inWords(latest.operation)}`,
    );
  }
  return problems;
}
