import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Answer, Caller, OwnerCaller } from '../../src/state/answer.ts';
import type { ControlPlane } from '../../src/state/control-plane.ts';
import type { Act, OwnerAct } from '../../src/state/kernel/commands.ts';
import type { CommitLog } from '../../src/state/log/commit-log.ts';
import { openControlPlane } from '../../src/state/open-control-plane.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are read field by field
export type Body = any;

const owner: OwnerCaller = { name: 'Olga', channel: 'cli', grade: 'confirmed' };

/** A workspace in a folder of its own with a control plane on it. */
export class Workspace {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'loopx-audit-')));
  readonly stateDir = join(this.root, '.loopx');
  readonly #planes: ControlPlane[] = [];
  plane!: ControlPlane;

  static async open(log?: CommitLog): Promise<Workspace> {
    const workspace = new Workspace();
    await workspace.another(log);
    return workspace;
  }

  /** Another server on the same folder, which is the one that is asked from now on. */
  async another(log?: CommitLog): Promise<void> {
    const { root, stateDir } = this;
    this.plane = await openControlPlane({ root, stateDir, env: {}, ...(log && { log }) });
    this.#planes.push(this.plane);
  }

  async act(act: Exclude<Act, OwnerAct>, agent = 'ann'): Promise<Body> {
    return this.plane.execute(act, caller(agent));
  }

  async own(act: OwnerAct, by: OwnerCaller = owner): Promise<Body> {
    return this.plane.own(act, by);
  }

  async audit(query: { readonly goal?: string; readonly deep?: boolean } = {}): Promise<Body> {
    const answer: Answer = await this.plane.query({ type: 'audit', ...query }, caller('ann'));
    return answer;
  }

  async status(query: Body): Promise<Body> {
    return this.plane.query({ type: 'goal.status', ...query }, caller('ann'));
  }

  file(path: string, text: string): void {
    writeFileSync(join(this.root, path), text);
  }

  get segment(): string {
    return join(this.stateDir, 'log', '000001.jsonl');
  }

  async remove(): Promise<void> {
    for (const plane of this.#planes) await plane.close();
    rmSync(this.root, { recursive: true, force: true, maxRetries: 5 });
  }
}

export function caller(agent: string): Caller {
  return { agent, host: 'test', kind: 'cli' };
}

/** Work as it happens: two agents, a gate of each sort, evidence with files, a handoff, a spend, a sleeper. */
export async function work(workspace: Workspace): Promise<void> {
  const done = async (step: Promise<Body>) => {
    const body = await step;
    if (!body.ok) throw new Error(`${body.code}: ${body.message}`);
  };
  const { act, own } = { act: workspace.act.bind(workspace), own: workspace.own.bind(workspace) };
  workspace.file('a.txt', 'one');
  workspace.file('b.txt', 'two');
  await done(
    act({
      type: 'goal.start',
      goal: 'parser',
      objective: 'Parse it\n## open (77)',
      acceptance: ['It parses', 'It is fast'],
      quota: { tokens: 1_000 },
      todos: [
        { title: 'Write the lexer', priority: 'P0', covers: ['A1'], acceptance: ['It lexes'] },
        { title: 'Write the parser', after: ['T1'] },
        { title: 'Watch the build', kind: 'monitor', everyS: 60 },
        { title: 'Sleep a moment', resumeWhen: { at: new Date(Date.now() - 1_000).toISOString() } },
        { title: 'Sleep for long', resumeWhen: { at: '2100-01-01T00:00:00Z' } },
        { title: 'Publish' },
        { title: 'Ask around' },
      ],
    }),
  );
  await done(act({ type: 'goal.start', goal: 'docs', objective: 'Write it down' }, 'bob'));
  await done(act({ type: 'todo.claim', todo: 'T1' }));
  await done(act({ type: 'todo.claim', todo: 'T7' }, 'bob'));
  await done(
    act({
      type: 'writeback',
      todo: 'T1',
      outcome: 'primary',
      summary: 'lexed',
      todoState: 'done',
      evidence: [
        { kind: 'test', summary: 'all pass', result: 'pass', criteria: ['A1'], files: ['a.txt'], globs: ['*.txt'] },
      ],
      spend: { slots: 2, tokens: 30 },
    }),
  );
  await done(
    act({ type: 'evidence.write', goal: 'parser', kind: 'observation', summary: 'slow', result: 'fail' }, 'bob'),
  );
  const options = [
    { key: 'yes', label: 'Yes', effect: 'approve' },
    { key: 'no', label: 'No', effect: 'deny' },
  ] as const;
  await done(act({ type: 'gate.ask', question: 'Publish?', options, kind: 'approval', blocks: { todos: ['T6'] } }));
  await done(act({ type: 'gate.ask', goal: 'parser', question: 'Which name?\n## open (9)' }, 'bob'));
  await done(own({ type: 'gate.answer', gate: 'G1', option: 'yes', words: 'go' }));
  await done(act({ type: 'todo.update', todo: 'T6', title: 'Publish 2.0' }));
  await done(
    own({ type: 'goal.amend', goal: 'parser', amendment: { addAcceptance: ['It is small'], dropAcceptance: ['A2'] } }),
  );
  await done(act({ type: 'handoff', todo: 'T7', to: { agent: 'ann' }, summary: 'yours' }, 'bob'));
  await done(act({ type: 'todo.claim', todo: 'T7' }));
  await done(own({ type: 'goal.pause', goal: 'docs' }));
}
