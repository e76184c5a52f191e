import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';

/** What tells one process from every other; what the system does not say is absent. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Linux: the pid namespace, so that containers sharing a folder do not judge each other's pids. */
  readonly pidNamespace?: string | undefined;
  /** When the process started, in the system's own words; only ever compared for equality. */
  readonly startTime?: string | undefined;
  readonly bootId?: string | undefined;
}

export interface ProcessState {
  /** A zombie does not exist any more: it will never write again. */
  readonly exists: boolean;
  readonly startTime?: string | undefined;
}

let own: ProcessIdentity | undefined;

/** This process; read once. */
export function selfIdentity(): ProcessIdentity {
  own ??= readSelf();
  return own;
}

function readSelf(): ProcessIdentity {
  const pid = process.pid;
  if (process.platform === 'linux') {
    // A /proc of another namespace would number the processes otherwise; then nothing of it may be believed.
    if (attempt(() => readlinkSync('/proc/self')) !== String(pid)) return { pid };
    return {
      pid,
      pidNamespace: attempt(() => readlinkSync('/proc/self/ns/pid')),
      startTime: procStat('self')?.startTime,
      bootId: attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    };
  }
  return { pid, startTime: startTimeByPs(pid) };
}

/** Whether a process of this machine and namespace exists now, and when it started if the system says so. */
export function processState(pid: number): ProcessState {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it exists and is another user's.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return { exists: false };
  }
  if (process.platform !== 'linux') return { exists: true, startTime: startTimeByPs(pid) };
  const stat = procStat(String(pid));
  if (stat === undefined) return { exists: true };
  return stat.isZombie ? { exists: false } : { exists: true, startTime: stat.startTime };
}

function procStat(pid: string): { startTime: string; isZombie: boolean } | undefined {
  const text = attempt(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  // The command's name (field 2) is in parentheses and may hold anything; the state (field 3) follows the last one.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, startTime] = [fields?.[0], fields?.[19]];
  return state && startTime ? { startTime, isZombie: state === 'Z' || state === 'X' } : undefined;
}

/** Start time as `ps` of BSD and macOS tells it, to the second; undefined where there is no such `ps`. */
export function startTimeByPs(pid: number): string | undefined {
  if (process.platform === 'win32') return undefined;
  const text = attempt(() =>
    execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      timeout: 1_000,
      killSignal: 'SIGKILL',
      stdio: ['ignore', 'pipe', 'ignore'],
      // Its words depend on language and time zone, which two processes need not share.
      env: { PATH: process.env.PATH ?? '/bin:/usr/bin', LC_ALL: 'C', TZ: 'UTC' },
    }),
  );
  return text?.trim() || undefined;
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Whether any process of that process group is left; its number is not given to another group while one is. */
export function groupExists(group: number): boolean {
  if (process.platform === 'win32') return false;
  try {
    process.kill(-group, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
