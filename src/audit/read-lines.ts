import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A commit as the bytes have it. */
export interface AuditCommit {
  readonly version: number;
  readonly at: string;
  readonly by: { readonly [field: string]: unknown };
  readonly events: readonly AuditEvent[];
  readonly log?: string;
}

export interface AuditEvent {
  readonly type: string;
  // The events' data is read field by field; what is not of the expected shape derives to nothing.
  // biome-ignore lint/suspicious/noExplicitAny: this reader trusts no type of the code it checks
  readonly [field: string]: any;
}

export interface LogReading {
  readonly commits: readonly AuditCommit[];
  /** Hash of the last accepted line. */
  readonly head: string;
  /** What is wrong with the bytes, if anything. */
  readonly damage?: string;
}

/**
 * The reader's rule of the log's protocol, written again: a line is a commit exactly when it is the next version and
 * chains to the last accepted line. Imports nothing of the code it checks.
 */
export function readLog(folder: string): LogReading {
  const commits: AuditCommit[] = [];
  let head = '';
  for (let segment = 1; ; segment++) {
    const name = `${String(segment).padStart(6, '0')}.jsonl`;
    if (!existsSync(join(folder, name))) return { commits, head };
    const lines = readFileSync(join(folder, name)).toString('latin1').split('\n').slice(0, -1);
    let isSealed = false;
    for (const [at, line] of lines.entries()) {
      if (isSealed) break;
      const commit = parsed(line);
      const next = commits.length + 1;
      if (!commit || commit.version < next) continue;
      if (commit.version !== next || commit.prev !== head) {
        return {
          commits,
          head,
          damage: `${name} line ${at + 1} has version ${commit.version}, which does not follow ${next - 1}`,
        };
      }
      head = createHash('sha256').update(line, 'latin1').digest('hex');
      commits.push(commit);
      isSealed = commit.events.some((event) => event.type === 'segment.sealed');
    }
    if (!isSealed && existsSync(join(folder, `${String(segment + 1).padStart(6, '0')}.jsonl`))) {
      return { commits, head, damage: `a segment stands after ${name}, which is not sealed` };
    }
  }
}

function parsed(line: string): (AuditCommit & { readonly prev: string }) | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(line, 'latin1'));
    const value = JSON.parse(text);
    const isCommit =
      typeof value?.version === 'number' && typeof value.prev === 'string' && Array.isArray(value.events);
    return isCommit ? value : undefined;
  } catch {
    return undefined;
  }
}
