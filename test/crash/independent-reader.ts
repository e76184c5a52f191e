import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';

/**
 * The reader's rule of docs/log-protocol.md and nothing else, so that the store is not its own witness: the commits of
 * a log in order. It shares no code with the store and throws at the proof of damage.
 */
export function readByTheRule(folder: string): readonly { version: number; id: string; events: { text?: string }[] }[] {
  const commits = [];
  let prev = '';
  for (let segment = 1, isSealed = true; isSealed; segment++) {
    const path = `${folder}/${String(segment).padStart(6, '0')}.jsonl`;
    isSealed = false;
    if (!existsSync(path)) break;
    const lines = readFileSync(path, 'latin1').split('\n').slice(0, -1);
    for (const line of lines) {
      const bytes = Buffer.from(line, 'latin1');
      const commit = jsonOf(bytes);
      if (typeof commit?.prev !== 'string' || !(commit.version > commits.length)) continue;
      if (commit.version !== commits.length + 1 || commit.prev !== prev) throw new Error(`damage in ${path}: ${line}`);
      commits.push(commit);
      prev = createHash('sha256').update(bytes).digest('hex');
      isSealed = commit.events.length === 1 && commit.events[0].type === 'segment.sealed';
      if (isSealed) break;
    }
  }
  return commits;
}

function jsonOf(bytes: Buffer) {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
