import { join } from 'node:path';
import { z } from 'zod';
import { isStateDir } from '../workspace/state-dir.ts';
import { fileNameOf } from './agent-file.ts';
import { readJson, writeJson } from './small-json.ts';

const count = z.number().int().nonnegative();

const memorySchema = z.object({
  /** The log version up to which the agent has been given its notices. */
  toldVersion: count,
  /** By gate: when (wall clock, ms) and how often the owner was to be notified of it. */
  notified: z.record(z.string(), z.object({ at: count, count })),
  /** By goal: how far the waiting answers have backed off, since which version, and when (wall clock, ms) last. */
  backoff: z.record(z.string(), z.object({ step: count, sinceVersion: count, at: count })),
});

export type Memory = z.infer<typeof memorySchema>;

/** The name under which is kept what was said for the workspace as a whole; no agent can be called that. */
export const everyone = '*';

const entriesMax = 500;

/**
 * What was already said to whom, by agent: `<stateDir>/presence/agents/`. Asking is a read, so this is no part of the
 * log: lost or damaged it is empty, and at worst something is said twice. Two processes of one agent may overwrite
 * each other's last note, with the same consequence. Where there is no state folder, or it cannot be written, the
 * notes last as long as this process.
 */
export class AgentMemory {
  readonly #stateDir: string;
  readonly #unwritten = new Map<string, Memory>();

  constructor(stateDir: string) {
    this.#stateDir = stateDir;
  }

  get(agent: string): Memory {
    return (
      this.#unwritten.get(agent) ??
      readJson(this.#path(agent), memorySchema) ?? { toldVersion: 0, notified: {}, backoff: {} }
    );
  }

  /** Replaces an agent's memory by what `change` makes of it; answers the new one. */
  update(agent: string, change: (memory: Memory) => Memory): Memory {
    const before = this.get(agent);
    const changed = change(before);
    if (changed === before) return before;
    const memory = { ...changed, notified: newest(changed.notified), backoff: newest(changed.backoff) };
    const isWritten = isStateDir(this.#stateDir) && writeJson(this.#path(agent), memory);
    if (isWritten) this.#unwritten.delete(agent);
    else this.#unwritten.set(agent, memory);
    return memory;
  }

  #path(agent: string): string {
    return join(this.#stateDir, 'presence', 'agents', `${fileNameOf(agent)}.json`);
  }
}

function newest<T extends { readonly at: number }>(entries: Record<string, T>): Record<string, T> {
  const all = Object.entries(entries);
  if (all.length <= entriesMax) return entries;
  return Object.fromEntries(all.sort(([, a], [, b]) => b.at - a.at).slice(0, entriesMax));
}
