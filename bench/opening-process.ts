// Opens a long log once in a fresh process, as a server does for its first call, and prints how many ms that took; or
// only reads and parses the same bytes.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openControlPlane } from '../src/state/open-control-plane.ts';
import { timed } from './compare.ts';
import { caller, good } from './workspace.ts';

const [how = '', root = ''] = process.argv.slice(2);
const stateDir = join(root, '.loopx');

async function open(): Promise<void> {
  const plane = await openControlPlane({ root, stateDir, env: { LOOPX_AGENT: 'ann' } });
  good(await plane.query({ type: 'quota.should-run', isLook: true }, caller));
}

/** A snapshot is only taken of what is known to be on the disk, as it is after a write. */
async function write(): Promise<void> {
  const plane = await openControlPlane({ root, stateDir, env: { LOOPX_AGENT: 'ann' } });
  good(await plane.execute({ type: 'todo.add', todos: [{ title: 'one more' }] }, caller));
}

function parse(): number {
  let versions = 0;
  for (const name of readdirSync(join(stateDir, 'log'))) {
    for (const line of readFileSync(join(stateDir, 'log', name), 'utf8').split('\n')) {
      if (line !== '') versions += JSON.parse(line).version > 0 ? 1 : 0;
    }
  }
  return versions;
}

process.stdout.write(`${await timed({ parse, write, open }[how] ?? open)}\n`);
process.exit(0);
