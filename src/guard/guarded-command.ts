import { type ChildProcess, spawn } from 'node:child_process';
import { nanoid } from 'nanoid';
import type { Answer, Caller } from '../state/answer.ts';
import type { ControlPlane } from '../state/control-plane.ts';
import type { Presence } from '../state/presence/presence.ts';
import { groupExists, processState } from '../state/presence/process-identity.ts';

export interface Guarded {
  readonly resources: readonly string[];
  readonly mode: 'exclusive' | 'shared';
  readonly ttlS: number;
  readonly command: readonly string[];
}

export interface GuardParts {
  readonly plane: ControlPlane;
  readonly presence: Presence;
  readonly caller: Caller;
  /** Who holds: the agent the reservation is made for. */
  readonly complain: (text: string) => void;
}

/** What came of it: the command's own exit code, or the refusal that kept it from running or stopped it. */
export type GuardEnd = { readonly exitCode: number } | { readonly refused: Answer };

/** Between SIGTERM and SIGKILL, and how often a group on its way out is looked at. */
const mercyMs = 5_000;
const lookMs = 50;

/**
 * Runs a command only while it holds the resources. The lease is renewed by commits at a third of its ttl; when it is
 * lost, or could not be renewed for a whole ttl by this process's monotonic clock, the command's process group is
 * stopped. The group is the lease's witness, so that a guard that is killed frees nothing its command still uses.
 */
export async function runGuarded(parts: GuardParts, guarded: Guarded): Promise<GuardEnd> {
  const witness = `guard-${nanoid().replaceAll('_', '-')}`;
  const { resources, mode, ttlS } = guarded;
  const hold = () => parts.plane.execute({ type: 'reserve', resources, mode, ttlS, witness }, parts.caller);
  const witnessed = new Witness(parts, witness);
  witnessed.self();
  const held = await hold();
  if (!held.ok) return { refused: held };
  witnessed.holder = held.you ?? '';
  const child = spawn(guarded.command[0] as string, guarded.command.slice(1), {
    stdio: 'inherit',
    detached: process.platform !== 'win32',
  });
  const ended = endOf(child);
  if (child.pid !== undefined) witnessed.group(child.pid);
  const passOn = (signal: NodeJS.Signals) => signalGroup(child, signal);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, passOn);
  const lost = renewals(hold, ttlS, ended, parts.complain);
  const first = await Promise.race([ended.then((exitCode) => ({ exitCode })), lost]);
  await stopGroup(child);
  const exitCode = await ended;
  if ('refused' in first) return first;
  await parts.plane.execute({ type: 'reserve', resources, release: true }, parts.caller);
  witnessed.end();
  return { exitCode };
}

/** Resolves with the refusal once the lease is lost, or with the last answer once a whole ttl went by unrenewed. */
async function renewals(
  hold: () => Promise<Answer>,
  ttlS: number,
  ended: Promise<number>,
  complain: (text: string) => void,
): Promise<{ readonly refused: Answer }> {
  let renewedAt = performance.now();
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, (ttlS * 1_000) / 3).unref());
    if (isOver) return new Promise(() => {});
    const asked = performance.now();
    const answer = await hold();
    if (answer.ok) renewedAt = asked;
    else if (answer.code === 'reserved' || performance.now() - renewedAt > ttlS * 1_000) return { refused: answer };
    else complain(`loopx guard: not renewed, trying again: ${answer.message}`);
  }
}

/** Presence of the process group, beside the log. */
class Witness {
  readonly #parts: GuardParts;
  readonly #session: string;
  holder = '';

  constructor(parts: GuardParts, session: string) {
    this.#parts = parts;
    this.#session = session;
  }

  self(): void {
    this.#write(this.#parts.presence.self);
  }

  group(pid: number): void {
    const { bootId, pidNamespace } = this.#parts.presence.self;
    this.#write({ pid, bootId, pidNamespace, startTime: processState(pid).startTime });
  }

  end(): void {
    this.#parts.presence.end(this.#session, Date.now());
  }

  #write(identity: Presence['self']): void {
    const now = Date.now();
    const agents = this.holder === '' ? {} : { [this.holder]: { lastActivityAt: now, beat: 1, beatAt: now } };
    this.#parts.presence.write({ session: this.#session, kind: 'guard', host: 'guard', identity, agents });
  }
}

/** The command's exit code, as a shell would tell it: 127 where it cannot be started, 128 and the signal's number. */
function endOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.on('error', () => resolve(127));
    child.on('exit', (code, signal) =>
      resolve(code ?? (signal === 'SIGKILL' ? 137 : signal === 'SIGTERM' ? 143 : 129)),
    );
  });
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // The group is gone, which is what was wanted.
  }
}

/** Nothing of the command goes on after its lease: what is left of its group is asked to end, then ended. */
async function stopGroup(child: ChildProcess): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  const startedAt = performance.now();
  signalGroup(child, 'SIGTERM');
  while (groupExists(pid)) {
    if (performance.now() - startedAt > mercyMs) signalGroup(child, 'SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, lookMs));
  }
}
