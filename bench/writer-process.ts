// A process that commits for as many ms as each line on stdin says, and prints how many commits were acknowledged.
import { createInterface } from 'node:readline';
import { openControlPlane } from '../src/state/open-control-plane.ts';
import { beginWork, note } from './workspace.ts';

const [root = '', stateDir = '', agent = ''] = process.argv.slice(2);
const plane = await openControlPlane({ root, stateDir, env: { LOOPX_AGENT: agent } });
const todo = await beginWork(plane);
process.stdout.write('ready\n');
createInterface({ input: process.stdin })
  .on('line', async (ms) => {
    const endsAt = performance.now() + Number(ms);
    let count = 0;
    for (; performance.now() < endsAt; count++) await note(plane, todo);
    process.stdout.write(`${count}\n`);
  })
  .on('close', () => process.exit(0));
