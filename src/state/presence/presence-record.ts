import { z } from 'zod';

const ms = z.number().int().nonnegative();
const counter = z.number().int().nonnegative();

/** One file of `<stateDir>/presence`. Written by the session's own process, read by others, so read with distrust. */
export const presenceRecordSchema = z.object({
  session: z.string().min(1).max(128),
  /**
   * A server is the witness that its holders live, a guarded command's process group that it still uses what it holds;
   * a command-line call is none: its claims live by their ttl alone.
   */
  kind: z.enum(['mcp', 'cli', 'guard']),
  host: z.string().max(200),
  hostSession: z.string().max(500).optional(),
  loopxSession: z.string().max(500).optional(),
  identity: z.object({
    pid: z.number().int().positive(),
    pidNamespace: z.string().max(200).optional(),
    startTime: z.string().max(200).optional(),
    bootId: z.string().max(200).optional(),
  }),
  /** Wall clock, ms: when the session ended cleanly; absent while it lasts. */
  endedAt: ms.optional(),
  agents: z.record(
    z.string().max(200),
    z.object({
      /** Wall clock, ms: the agent's last tool call. */
      lastActivityAt: ms,
      /** Raised by every heartbeat and tool call; that it stands still is what a taker watches. */
      beat: counter,
      /** Wall clock, ms: when `beat` was last raised. */
      beatAt: ms,
    }),
  ),
});

export type PresenceRecord = z.infer<typeof presenceRecordSchema>;
