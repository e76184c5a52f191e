import { spawn } from 'node:child_process';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endLeftovers } from './leftovers.ts';
import type { ScriptStep, ToolResult } from './script.ts';
import { type ModelRequest, ScriptedModel } from './scripted-model.ts';

/** How the MCP server under test is started, `node dist/main.js serve` for example. */
export type ServerCommand = { command: string; args: string[]; env?: Record<string, string> };

export type HostRunOptions = {
  /** The folder the host works in. */
  projectDir: string;
  server: ServerCommand;
  script: readonly ScriptStep[];
  /** What the person asks for; the script decides what happens. */
  prompt?: string;
  /** Added to the host's environment, which is otherwise made from nothing. */
  env?: Record<string, string>;
  /** Further words of the host's command line. */
  hostArgs?: string[];
  /** A home that is kept, for runs that follow each other, never at once; else a fresh one is made and removed. */
  homeDir?: string;
  /** After this many seconds the host is killed. */
  timeLimitS?: number;
};

export type HostRun = {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  isTimedOut: boolean;
  stdout: string;
  stderr: string;
  results: readonly ToolResult[];
  requests: readonly ModelRequest[];
  system: string;
  tools: readonly string[];
  /** Steps of the script that were played. */
  played: number;
  /** Hosts on the network that were tried and refused. */
  refused: readonly string[];
  /** Command lines of processes that outlived the host; they were ended. */
  leftBehind: readonly string[];
};

/** A command line ready to start, headless or on a terminal. */
export type Launch = { command: string; args: string[]; env: Record<string, string>; cwd: string };

/** Writes a host's configuration into a home and answers how to start it against a model. */
export type MakeLaunch = (homeDir: string, modelUrl: string) => Promise<Launch>;

const timeLimitDefaultS = 90;
const outputBytesMax = 4 * 1024 * 1024;
const termGraceMs = 2_000;

/** Runs a host once from its first prompt to its end, and answers what both sides saw. */
export async function runHost(options: HostRunOptions, makeLaunch: MakeLaunch): Promise<HostRun> {
  const model = await ScriptedModel.start(options.script);
  const homeDir = options.homeDir ?? (await makeHome());
  try {
    const launch = await makeLaunch(homeDir, model.url);
    const ended = await runToEnd(launch, options.timeLimitS ?? timeLimitDefaultS);
    const leftBehind = await endLeftovers(homeDir);
    // A throwing step would otherwise look like a host that gave up.
    if (model.failures.length > 0) throw new Error('The scripted model failed.', { cause: model.failures[0] });
    const { results, requests, system, tools, played, refused } = model;
    return { ...ended, results, requests, system, tools, played, refused, leftBehind };
  } finally {
    await model.stop();
    await endLeftovers(homeDir);
    if (options.homeDir === undefined) await rm(homeDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** A throw-away home folder under the system's temporary folder. */
export async function makeHome(): Promise<string> {
  return realpath(await mkdtemp(join(tmpdir(), 'loopx-home-')));
}

/**
 * The environment a host gets, made from nothing so that neither keys nor a surrounding agent's settings reach
 * it. The proxy is the scripted model, which refuses whatever is not on this machine.
 */
export function cleanEnv(homeDir: string, modelUrl: string): Record<string, string> {
  return {
    HOME: homeDir,
    PATH: process.env.PATH ?? '/usr/bin:/bin',
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    SHELL: '/bin/sh',
    TMPDIR: tmpdir(),
    HTTP_PROXY: modelUrl,
    HTTPS_PROXY: modelUrl,
    http_proxy: modelUrl,
    https_proxy: modelUrl,
    NO_PROXY: '127.0.0.1,localhost',
    no_proxy: '127.0.0.1,localhost',
  };
}

type Ended = Pick<HostRun, 'exitCode' | 'signal' | 'isTimedOut' | 'stdout' | 'stderr'>;

async function runToEnd({ command, args, env, cwd }: Launch, timeLimitS: number): Promise<Ended> {
  // A group of its own, so that what the host started can be ended with it.
  const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  let isTimedOut = false;
  const timers = [
    setTimeout(() => {
      isTimedOut = true;
      signalGroup(child.pid, 'SIGTERM');
    }, timeLimitS * 1_000),
    setTimeout(() => signalGroup(child.pid, 'SIGKILL'), timeLimitS * 1_000 + termGraceMs),
  ];
  try {
    const [exitCode, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code, by) => resolve([code, by]));
    });
    return { exitCode, signal, isTimedOut, stdout: stdout(), stderr: stderr() };
  } finally {
    for (const timer of timers) clearTimeout(timer);
    if (isTimedOut) signalGroup(child.pid, 'SIGKILL');
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

function collect(stream: NodeJS.ReadableStream): () => string {
  let text = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    if (text.length < outputBytesMax) text += chunk;
  });
  return () => text;
}

function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The group is gone already.
  }
}
