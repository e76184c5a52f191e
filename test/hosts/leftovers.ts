import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const graceMs = 1_500;
const pollMs = 50;

/**
 * Ends every process that a host left behind and answers their command lines. Daemons and servers leave the
 * host's process group, so they are known by the throw-away HOME in their environment, which no other process
 * has. What ends by itself within a moment is not counted. Without /proc nothing is found.
 */
export async function endLeftovers(homeDir: string): Promise<string[]> {
  const endMs = Date.now() + graceMs;
  let left = await processesOf(homeDir);
  while (left.length > 0 && Date.now() < endMs) {
    await sleep(pollMs);
    left = await processesOf(homeDir);
  }
  const commands = left.map(({ command }) => command);
  // A daemon may have a watcher that starts it anew, hence more than one round.
  for (let round = 0; left.length > 0 && round < 10; round += 1) {
    for (const { pid } of left) end(pid);
    await sleep(pollMs);
    left = await processesOf(homeDir);
  }
  return commands;
}

type Process = { pid: number; command: string };

async function processesOf(homeDir: string): Promise<Process[]> {
  const names = await readdir('/proc').catch(() => []);
  const found = await Promise.all(names.filter((name) => /^\d+$/.test(name)).map((pid) => ownedBy(pid, homeDir)));
  return found.filter((process) => process !== undefined);
}

async function ownedBy(pid: string, homeDir: string): Promise<Process | undefined> {
  try {
    const environment = (await readFile(`/proc/${pid}/environ`, 'utf8')).split('\0');
    if (!environment.includes(`HOME=${homeDir}`)) return undefined;
    const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ').trim();
    return { pid: Number(pid), command };
  } catch {
    // It ended meanwhile, or belongs to someone else.
    return undefined;
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended meanwhile.
  }
}
