import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ClientOptions, LoopxClient } from './loopx-client.ts';

/** A fresh git repository with clients on it; all of it goes away together. */
export class Project {
  readonly dir: string;
  readonly #folder: string;
  readonly #clients: LoopxClient[] = [];

  private constructor(folder: string) {
    this.#folder = folder;
    this.dir = join(folder, 'project');
  }

  static async make(): Promise<Project> {
    const project = new Project(await realpath(await mkdtemp(join(tmpdir(), 'loopx-e2e-'))));
    await mkdir(project.dir);
    execFileSync('git', ['init', '--quiet'], { cwd: project.dir });
    return project;
  }

  /** A client whose server works in this project. */
  async client(agent?: string, options: Omit<ClientOptions, 'projectDir' | 'agent'> = {}): Promise<LoopxClient> {
    const client = await LoopxClient.start({ projectDir: this.dir, ...(agent && { agent }), ...options });
    this.#clients.push(client);
    return client;
  }

  async remove(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.close().catch(() => undefined)));
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
