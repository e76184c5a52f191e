import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { PresenceRecord } from '../../../src/state/presence/presence-record.ts';
import { processState, selfIdentity } from '../../../src/state/presence/process-identity.ts';

/** A state folder's path (not made yet) in a folder that is removed after the test. */
export function temporaryStateDir(): string {
  const base = realpathSync.native(mkdtempSync(join(tmpdir(), 'loopx-presence-')));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  return join(base, '.loopx');
}

/** A real process that lives until it is killed, at the latest when the test ends. */
export async function livingProcess(): Promise<{ pid: number; kill: () => Promise<void> }> {
  const child = spawn('sleep', ['60'], { stdio: 'ignore' });
  await once(child, 'spawn');
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  onTestFinished(kill);
  return { pid: child.pid!, kill };
}

/** A record as the process `pid` would have written it. */
export function recordOf(pid: number, changes: Partial<PresenceRecord> = {}): PresenceRecord {
  return {
    session: `s-${pid}`,
    kind: 'mcp',
    host: 'test-host',
    identity: { ...selfIdentity(), pid, startTime: processState(pid).startTime },
    agents: { ann: { lastActivityAt: 1_000_000, beat: 3, beatAt: 1_000_000 } },
    ...changes,
  };
}

/** Runs a module's text in a real Node process that can import the TypeScript sources. */
export function nodeProcess(script: string) {
  const arguments_ = ['--import', import.meta.resolve('tsx'), '--input-type=module', '-e', script];
  return spawn(process.execPath, arguments_, { stdio: ['ignore', 'pipe', 'inherit'] });
}

export function sourceUrl(path: string): string {
  return JSON.stringify(new URL(`../../../src/state/presence/${path}`, import.meta.url).href);
}
