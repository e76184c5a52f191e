import { expect, test } from 'vitest';
import { say } from '../../contract/drafts.ts';
import { tempLog } from './temp-log.ts';

test('a watcher that has read up to a seal hears of commits in the next segment [R3]', async () => {
  const temp = tempLog();
  const writer = temp.open({ segmentBytesMax: 1 });
  await say(writer, 'a');
  const reader = temp.open();
  await reader.read(0);
  const heard = new Promise<void>((resolve) => {
    const stop = reader.watch(() => {
      stop();
      resolve();
    });
  });
  await say(writer, 'b');
  await heard;
  expect((await reader.read(0)).length).toBeGreaterThan(2);
});
