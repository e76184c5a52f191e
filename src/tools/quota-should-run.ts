import * as z from 'zod';
import { limits } from '../state/kernel/limits.ts';
import { defineTool } from './define-tool.ts';
import * as f from './fields.ts';

/** It only reads unless `claim` is set; the hint says it may write, since hosts judge a tool and not a call. */
export const quotaShouldRun = defineTool({
  name: 'quota_should_run',
  title: 'Ask what to do now',
  kind: 'repeatable-write',
  description:
    'Ask before each turn: decision (run, wait, ask_human, settle, replan, repair, stop), why, and the todo to work from. claim: true also claims it in the same step. waitS (0 to 50) holds the call until the decision would change. On wait come back after next.checkInS.',
  input: z.object({
    goal: f.slug().optional(),
    agent: f.agentId().optional(),
    capabilities: f.words('browser').optional(),
    claim: f.flag().optional(),
    waitS: f.seconds(0, limits.waitSMax, 30).optional(),
  }),
  run: (plane, { agent, ...query }, caller, signal) =>
    plane.query({ type: 'quota.should-run', ...query }, { ...caller, agent }, signal),
});
