/** The points of an append at which a test can let something go wrong, by throwing or by ending the process. */
export const faultPoints = ['before-write', 'after-write', 'before-sync', 'after-sync', 'at-seal'] as const;
type FaultPoint = (typeof faultPoints)[number];

export interface Faults {
  /** @param path the segment that is written or synced */
  at(point: FaultPoint, path: string): void;
  /** How many bytes of a write reach the file; undefined for all of them. */
  shortWrite?(bytes: number): number | undefined;
}
