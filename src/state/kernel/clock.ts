/**
 * The log's clock: wall clock plus an offset that only grows. A commit's time is never before the one before it. When
 * a wrong clock has run the log far ahead, the next right clock is more than ten minutes behind it; then the offset
 * grows by the difference, so that every deadline keeps what remained of it and time goes on from there.
 */
import { limits } from './limits.ts';

interface Clocked {
  readonly at: number;
  readonly clockOffsetMs: number;
}

/** Log time of a wall clock reading (both ms), and by how much the offset must grow first. */
export function logTime(state: Clocked, wall: number): { readonly at: number; readonly correctMs: number } {
  const at = wall + state.clockOffsetMs;
  const behindMs = state.at - at;
  if (behindMs <= 0) return { at, correctMs: 0 };
  return { at: state.at, correctMs: behindMs > limits.clockBehindMsMax ? behindMs : 0 };
}

/** The state and log time that a look at this wall clock reading (ms) goes by: those the next commit would correct to. */
export function asOf<S extends Clocked>(state: S, wall: number): { readonly state: S; readonly at: number } {
  const { at, correctMs } = logTime(state, wall);
  return { state: correctMs === 0 ? state : { ...state, clockOffsetMs: state.clockOffsetMs + correctMs }, at };
}

/** A log time as people's clocks show it now, ISO 8601. */
export function wallIso(state: Clocked, at: number): string {
  return new Date(at - state.clockOffsetMs).toISOString();
}

/** A wall time (ISO 8601, as agents and owners write it) as log time, or undefined if it is no time. */
export function logTimeOf(state: Clocked, iso: string): number | undefined {
  const wall = Date.parse(iso);
  return Number.isNaN(wall) ? undefined : wall + state.clockOffsetMs;
}
