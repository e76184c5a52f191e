import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { processState, selfIdentity, startTimeByPs } from '../../../src/state/presence/process-identity.ts';
import { sight, standingOf } from '../../../src/state/presence/sight.ts';
import { livingProcess, recordOf } from './temp.ts';

const self = selfIdentity();

test('a running process is alive until kill -9, then dead [R36]', async () => {
  const holder = await livingProcess();
  const record = recordOf(holder.pid);
  expect(standingOf(record, self).standing).toBe('alive');
  await holder.kill();
  expect(standingOf(record, self).standing).toBe('dead');
});

test('a suspended process is still alive [R36]', async () => {
  const holder = await livingProcess();
  const record = recordOf(holder.pid);
  process.kill(holder.pid, 'SIGSTOP');
  expect(standingOf(record, self).standing).toBe('alive');
});

test('a zombie is dead [R36]', async () => {
  const parent = spawn('sh', ['-c', 'sleep 0.2 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void parent.kill('SIGKILL'));
  const [line] = await once(parent.stdout, 'data');
  const record = recordOf(Number(line));
  expect(standingOf(record, self).standing).toBe('alive');
  await expect.poll(() => standingOf(record, self).standing).toBe('dead');
  // The pid is still taken, or this would prove nothing about zombies.
  expect(process.kill(record.identity.pid, 0)).toBe(true);
});

test('a pid that was given to another process is dead [R36]', async () => {
  const { pid } = await livingProcess();
  const record = recordOf(pid);
  const reused = { ...record, identity: { ...record.identity, startTime: '1' } };
  expect(standingOf(reused, self)).toMatchObject({ standing: 'dead', why: expect.stringContaining('another') });
});

test('a session that ended cleanly is dead although its process still runs [R36]', async () => {
  const { pid } = await livingProcess();
  expect(standingOf(recordOf(pid, { endedAt: 1 }), self).standing).toBe('dead');
});

test.each([
  ['another boot', { bootId: 'another' }],
  ['another pid namespace', { pidNamespace: 'pid:[1]' }],
  ['no boot id where we have one', { bootId: undefined }],
  ['no start time', { startTime: undefined }],
])('%s is unknown, so that the ttl alone decides [R36]', async (_, identity) => {
  const { pid } = await livingProcess();
  const record = recordOf(pid);
  expect(standingOf({ ...record, identity: { ...record.identity, ...identity } }, self).standing).toBe('unknown');
});

test('where the system tells no start time a pid that is gone is dead and one that exists unknown [R36]', async () => {
  const holder = await livingProcess();
  const record = recordOf(holder.pid, { identity: { pid: holder.pid } });
  expect(standingOf(record, { pid: process.pid }).standing).toBe('unknown');
  await holder.kill();
  expect(standingOf(record, { pid: process.pid }).standing).toBe('dead');
});

test('no record is unknown, and a command-line session is unknown whatever its process does [R36]', async () => {
  const holder = await livingProcess();
  const record = recordOf(holder.pid, { kind: 'cli', endedAt: 5 });
  await holder.kill();
  expect(standingOf(undefined, self).standing).toBe('unknown');
  expect(standingOf(record, self).standing).toBe('unknown');
});

test('an agent is idle once its last tool call is longer ago than idleAfterS, each agent for itself [R36]', async () => {
  const { pid } = await livingProcess();
  const agents = {
    ann: { lastActivityAt: 10_000, beat: 1, beatAt: 10_000 },
    bob: { lastActivityAt: 10_001, beat: 7, beatAt: 12_000 },
  };
  const seen = sight(recordOf(pid, { agents, hostSession: 'h' }), 70_001, 60, self);
  expect(seen.of('ann')).toMatchObject({ standing: 'alive', isIdle: true, lastActivityAt: 10_000 });
  expect(seen.of('bob')).toMatchObject({
    isIdle: false,
    beat: 7,
    beatAt: 12_000,
    pid,
    host: 'test-host',
    hostSession: 'h',
  });
  expect(seen.of('toString')).toMatchObject({ standing: 'alive', isIdle: true, pid });
});

test('this process names itself by pid, namespace, start time and boot', () => {
  expect(self.pid).toBe(process.pid);
  if (process.platform === 'linux') {
    expect(self.bootId).toMatch(/^[0-9a-f-]{36}$/);
    expect(self.pidNamespace).toMatch(/^pid:\[\d+\]$/);
  }
  expect(processState(process.pid)).toEqual({ exists: true, startTime: self.startTime });
});

test('ps tells one process its start time the same way in any language and time zone', async () => {
  const { pid, kill } = await livingProcess();
  const first = startTimeByPs(pid);
  process.env.TZ = 'Asia/Tokyo';
  onTestFinished(() => void delete process.env.TZ);
  expect(first).toMatch(/\d\d:\d\d:\d\d \d{4}$/);
  expect(startTimeByPs(pid)).toBe(first);
  await kill();
  expect(startTimeByPs(pid)).toBeUndefined();
});
