import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Launch } from './host-run.ts';

const run = promisify(execFile);
const pollMs = 50;
const keyPauseMs = 300;
const keyEffectS = 8;
const keyTriesMax = 3;
const waitDefaultS = 30;
const columns = 140;
const rows = 45;

/** A program on a terminal of its own, with a person's hands and eyes: what is typed and what the screen shows. */
export class Terminal {
  readonly #folder: string;
  readonly #env: Record<string, string>;

  private constructor(folder: string, env: Record<string, string>) {
    this.#folder = folder;
    this.#env = env;
  }

  /** Starts the program under a tmux server of its own, so that no other session is seen or touched. */
  static async start({ command, args, env, cwd }: Launch): Promise<Terminal> {
    const terminal = new Terminal(await mkdtemp(join(tmpdir(), 'loopx-tmux-')), env);
    // The last screen stays readable after the program ended, and Escape is passed on without a wait.
    const options = [
      'start-server',
      ';',
      'set',
      '-g',
      'remain-on-exit',
      'on',
      ';',
      'set',
      '-s',
      'escape-time',
      '0',
      ';',
    ];
    const session = ['new-session', '-d', '-x', String(columns), '-y', String(rows), '-c', cwd, '--', command, ...args];
    await terminal.#tmux('-f', '/dev/null', ...options, ...session);
    return terminal;
  }

  /** Types a text as it stands, without Enter. */
  async type(text: string): Promise<void> {
    await this.#tmux('send-keys', '-l', '--', text);
  }

  /** Presses keys by tmux's names, one after the other: `Enter`, `Escape`, `Down`, `Space`, `C-c`. */
  async press(...keys: string[]): Promise<void> {
    for (const key of keys) {
      // At a person's pace: a key right behind a redraw is lost, two in one read are taken for a paste.
      await sleep(keyPauseMs);
      await this.#tmux('send-keys', key);
    }
  }

  /** Presses a key, and again when the screen does not show its effect for long: a busy program loses keys. */
  async pressUntil(key: string, wanted: string | RegExp): Promise<string> {
    for (let tries = 1; ; tries += 1) {
      await this.press(key);
      try {
        return await this.waitFor(wanted, keyEffectS);
      } catch (cause) {
        if (tries === keyTriesMax) throw cause;
      }
    }
  }

  /** Types a line and sends it, once the line stands on the screen. */
  async enter(line: string): Promise<void> {
    await this.type(line);
    await this.waitFor(line.slice(0, 40));
    await this.press('Enter');
  }

  /** The screen as text, without colours. */
  async capture(): Promise<string> {
    return this.#tmux('capture-pane', '-p');
  }

  /** Waits until the screen shows a text and answers that screen; throws with the last screen when it never does. */
  async waitFor(wanted: string | RegExp, timeLimitS: number = waitDefaultS): Promise<string> {
    return this.until((screen) => shows(screen, wanted), `never showed ${String(wanted)}`, timeLimitS);
  }

  /** Waits until the screen no longer shows a text. */
  async waitWhile(unwanted: string | RegExp, timeLimitS: number = waitDefaultS): Promise<string> {
    return this.until((screen) => !shows(screen, unwanted), `still shows ${String(unwanted)}`, timeLimitS);
  }

  /** Waits until the screen has stood still for a while: hosts show their prompt before they are ready for a form. */
  async settle(stillS: number = 1.5): Promise<string> {
    let screen = await this.capture();
    for (let sameSinceMs = Date.now(); Date.now() - sameSinceMs < stillS * 1_000; await sleep(pollMs)) {
      const next = await this.capture();
      if (next !== screen) sameSinceMs = Date.now();
      screen = next;
    }
    return screen;
  }

  /** Waits until a question about the screen is answered with yes; `otherwise` ends the sentence of the error. */
  async until(
    isDone: (screen: string) => boolean,
    otherwise: string,
    timeLimitS: number = waitDefaultS,
  ): Promise<string> {
    const endMs = Date.now() + timeLimitS * 1_000;
    for (;;) {
      const screen = await this.capture();
      if (isDone(screen)) return screen;
      if (Date.now() > endMs) throw new Error(`The terminal ${otherwise}. It shows:\n${screen}`);
      await sleep(pollMs);
    }
  }

  /** Ends the program with its process group, and the tmux server. */
  async stop(): Promise<void> {
    const pid = Number(await this.#tmux('display-message', '-p', '#{pane_pid}'));
    await this.#tmux('kill-server');
    // A program may ignore the hang-up; its group is the one tmux made for it.
    try {
      if (pid > 1) process.kill(-pid, 'SIGKILL');
    } catch {
      // It is gone already.
    }
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #tmux(...args: string[]): Promise<string> {
    const socket = join(this.#folder, 'tmux');
    const { stdout } = await run('tmux', ['-S', socket, ...args], { env: this.#env });
    return stdout;
  }
}

function shows(screen: string, wanted: string | RegExp): boolean {
  return typeof wanted === 'string' ? screen.includes(wanted) : wanted.test(screen);
}
