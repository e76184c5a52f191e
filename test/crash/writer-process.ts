// A process that appends until it has said everything, several at a time, and prints each text once it is acknowledged.
// Bundled by writers.ts, since fifty processes that each compile the sources would take minutes.
import { openFileLog } from '../../src/state/log/file-log.ts';
import { say } from '../contract/drafts.ts';

const [stateDir = '', name, count, parallel, segmentBytesMax, padBytes, fault] = process.argv.slice(2);
const log = openFileLog({ stateDir, segmentBytesMax: Number(segmentBytesMax), faults: { at: dieAt(fault) } });

process.stdout.write('ready\n');
await new Promise((resolve) => process.stdin.once('data', resolve));
for (let done = 0; done < Number(count); done += Number(parallel)) {
  const texts = Array.from({ length: Number(parallel) }, (_, at) => `${name}-${done + at}`);
  await Promise.all(
    texts.map(async (text) => {
      const version = await say(log, text, Number(padBytes));
      process.stdout.write(`${version} ${text}\n`);
    }),
  );
}
process.exit(0);

/** Ends the process without any goodbye when it gets to a point for the nth time, as "before-sync 2" says. */
function dieAt(where = ''): (point: string) => void {
  const [point, nth] = where.split(' ');
  let times = 0;
  return (reached) => {
    if (reached === point && ++times === Number(nth)) process.kill(process.pid, 'SIGKILL');
  };
}
