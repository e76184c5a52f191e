import { afterEach, beforeEach } from 'vitest';
import { type LoopxClient, mainFile } from '../e2e/loopx-client.ts';
import { Project } from '../e2e/project.ts';
import type { HostTerminal } from './host-terminal.ts';
import type { ScriptStep } from './script.ts';

/** The server as a host starts it for bob. */
const server = { command: process.execPath, args: [mainFile, 'serve'], env: { LOOPX_AGENT: 'bob' } };

/** A question over T1, as gate_ask takes it. */
export const gate = {
  question: 'Delete the old table?',
  kind: 'approval',
  options: [
    { key: 'yes', label: 'Delete it', effect: 'approve' },
    { key: 'no', label: 'Keep it', effect: 'deny' },
  ],
  blocks: { todos: ['T1'] },
};

/** For each test a project with a goal and one todo, ann at a plain client, and room for a host at a terminal. */
export class GatedProject {
  project!: Project;
  ann!: LoopxClient;
  /** Closed after the test. */
  open: HostTerminal | undefined;

  static forEach(): GatedProject {
    const gated = new GatedProject();
    beforeEach(async () => {
      gated.project = await Project.make();
      gated.ann = await gated.project.client('ann');
      const todos = [{ title: 'Delete the old table' }];
      await gated.ann.call('goal_start', { goal: 'g', objective: 'Tidy up', todos });
    });
    afterEach(async () => {
      await gated.open?.close();
      gated.open = undefined;
      await gated.project.remove();
    });
    return gated;
  }

  optionsFor(script: ScriptStep[]) {
    return { projectDir: this.project.dir, server, script };
  }

  async gateNow() {
    return (await this.ann.call('goal_status', { id: 'G1' })).gate;
  }
}
