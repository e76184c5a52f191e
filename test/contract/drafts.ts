import { nanoid } from 'nanoid';
import type { Commit, CommitDraft, CommitLog } from '../../src/state/log/commit-log.ts';

/** A commit that says `text`, padded to so many bytes. */
export function draftOf(text: string, padBytes = 0): CommitDraft {
  const event = { type: 'test.said', text, ...(padBytes > 0 && { pad: 'x'.repeat(padBytes) }) };
  return {
    id: nanoid(),
    at: new Date().toISOString(),
    by: { agent: 'ann' },
    command: { type: 'test.say' },
    events: [event],
  };
}

/** What the commits say, in order; those of the log's own are left out. */
export function said(commits: readonly Commit[]): readonly string[] {
  return commits.flatMap(({ events }) => events.flatMap((event) => (event as { readonly text?: string }).text ?? []));
}

/** Appends as every command does: reads to the end, appends, and begins anew after a conflict. */
export async function say(log: CommitLog, text: string, padBytes = 0): Promise<number> {
  let version = 0;
  for (;;) {
    const commits = await log.read(version);
    version = commits[commits.length - 1]?.version ?? version;
    const result = await log.append(draftOf(text, padBytes), version);
    if ('appended' in result) return result.appended.version;
  }
}
