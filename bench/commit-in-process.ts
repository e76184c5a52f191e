import { openFileLog } from '../src/state/log/file-log.ts';
import { BareLoop } from './bare-loop.ts';
import { type Figure, timed } from './compare.ts';
import { beginWork, note, Workspace } from './workspace.ts';

/** One commit through the control plane, and one of the log alone, beside a bare append of as many bytes. */
export async function commitInProcess(): Promise<readonly Figure[]> {
  const workspace = new Workspace();
  const plane = await workspace.open('ann');
  const todo = await beginWork(plane);
  const bytes = await workspace.bytesOf(() => note(plane, todo));
  const bare = new BareLoop(workspace.root, bytes);
  const beside = { name: `bare append + fdatasync of ${bytes} bytes`, measure: () => timed(() => bare.append()) };
  const rounds = { unit: 'ms', rounds: 1_000, warmUps: 200 };
  const logFolder = new Workspace();
  const log = openFileLog({ stateDir: logFolder.stateDir });
  let version = 0;
  const append = async () => {
    const event = { type: 'test.said', text: 'x'.repeat(bytes - 330) };
    const draft = { id: 'a'.repeat(21), at: new Date().toISOString(), by: { agent: 'ann' }, command: { type: 'x' } };
    await log.append({ ...draft, events: [event] }, version++);
  };
  return [
    {
      name: 'a commit in process',
      ours: { name: 'todo_update with a note, by the control plane', measure: () => timed(() => note(plane, todo)) },
      beside,
      aim: { atMost: 1.5 },
      ...rounds,
    },
    {
      name: 'of that, the append of the log alone',
      ours: { name: 'append to the file store', measure: () => timed(append) },
      beside,
      aim: { atMost: 1.5 },
      ...rounds,
    },
  ];
}
