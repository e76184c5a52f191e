import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { beatEveryMs, Heartbeat } from '../../../src/state/presence/heartbeat.ts';
import { PresenceStore } from '../../../src/state/presence/presence-store.ts';
import { selfIdentity } from '../../../src/state/presence/process-identity.ts';
import { SessionPresence } from '../../../src/state/presence/session-presence.ts';
import { standingOf } from '../../../src/state/presence/sight.ts';
import { nodeProcess, sourceUrl, temporaryStateDir } from './temp.ts';

const self = selfIdentity();

function open() {
  const store = new PresenceStore(temporaryStateDir(), self);
  return { store, presence: new SessionPresence(store, { session: 's', kind: 'mcp', host: 'h' }) };
}

test('a beat raises the counter of active agents, leaves that of idle ones, and is no activity [R36]', () => {
  const { store, presence } = open();
  presence.touch('ann', 1_000);
  presence.touch('bob', 50_000);
  expect(presence.beat(61_001, 60)).toEqual(['bob']);
  expect(store.read('s')?.agents).toEqual({
    ann: { lastActivityAt: 1_000, beat: 1, beatAt: 1_000 },
    bob: { lastActivityAt: 50_000, beat: 2, beatAt: 61_001 },
  });
});

test('a record that was deleted comes back whole soon after the next call, its counters going on [R36]', async () => {
  const { store, presence } = open();
  presence.touch('ann', 1);
  presence.touch('bob', 2);
  rmSync(store.folder, { recursive: true });
  presence.touch('ann', 3);
  await expect.poll(() => store.read('s')?.agents).toMatchObject({ ann: { beat: 2 }, bob: { beat: 1 } });
});

test('calls in a run are told together, and the last of them is told though none follows [R36]', async () => {
  const { store, presence } = open();
  presence.touch('ann', 1);
  for (let call = 2; call <= 100; call++) expect(presence.touch('ann', call)).toBe(true);
  expect(store.read('s')?.agents.ann?.beat).toBeLessThan(100);
  await expect.poll(() => store.read('s')?.agents.ann).toEqual({ lastActivityAt: 100, beat: 100, beatAt: 100 });
});

test('a new agent is told at once, in the middle of a run of calls by another [R36]', () => {
  const { store, presence } = open();
  presence.touch('ann', 1);
  presence.touch('ann', 2);
  presence.touch('bob', 3);
  expect(store.read('s')?.agents).toMatchObject({ ann: { beat: 2 }, bob: { beat: 1 } });
});

test('an agent named like a property of every object is an agent like others', async () => {
  const { store, presence } = open();
  presence.touch('constructor', 1);
  presence.touch('constructor', 2);
  const agents = () => store.read('s')?.agents;
  await expect.poll(agents).toEqual({ constructor: { lastActivityAt: 2, beat: 2, beatAt: 2 } });
  presence.forget('constructor');
  expect(store.read('s')?.agents).toEqual({});
});

test("a host's endless words about itself are cut, not a reason for having no presence", () => {
  const { store } = open();
  const presence = new SessionPresence(store, {
    session: 'long',
    kind: 'mcp',
    host: 'h'.repeat(9_999),
    hostSession: 'x'.repeat(9_999),
  });
  expect(presence.touch('ann', 1)).toBe(true);
  expect(store.read('long')?.host).toHaveLength(200);
});

test.each([
  [1, 250],
  [4, 1_000],
  [60, 15_000],
  [86_400, 15_000],
])('a claim of %i s is renewed every %i ms [R36]', (ttlS, everyMs) => {
  expect(beatEveryMs(ttlS)).toBe(everyMs);
});

test('the shortest claim sets the pace, a new short one does not wait for the old pace, and stop ends it [R36]', async () => {
  const { store, presence } = open();
  let ttlsS: readonly number[] = [1800];
  const heartbeat = new Heartbeat({ presence, idleAfterS: 60, ttlsS: () => ttlsS });
  onTestFinished(() => heartbeat.stop());
  presence.touch('ann', Date.now());
  heartbeat.start();
  ttlsS = [1800, 1];
  heartbeat.refresh();
  await expect.poll(() => store.read('s')?.agents.ann?.beat, { timeout: 10_000 }).toBeGreaterThanOrEqual(3);
  heartbeat.stop();
  const { beat } = store.read('s')!.agents.ann!;
  await sleep(600);
  expect(store.read('s')?.agents.ann?.beat).toBe(beat);
});

test('a beating server killed with -9 is seen as dead, and a heartbeat keeps no process alive [R36]', async () => {
  const { store } = open();
  const script = (session: string, rest: string) => `
    import { Heartbeat } from ${sourceUrl('heartbeat.ts')};
    import { PresenceStore } from ${sourceUrl('presence-store.ts')};
    import { selfIdentity } from ${sourceUrl('process-identity.ts')};
    import { SessionPresence } from ${sourceUrl('session-presence.ts')};
    const store = new PresenceStore(${JSON.stringify(store.folder.replace(/\/presence$/, ''))}, selfIdentity());
    const presence = new SessionPresence(store, { session: '${session}', kind: 'mcp', host: 'child' });
    presence.touch('ann', Date.now());
    new Heartbeat({ presence, idleAfterS: 60, ttlsS: () => [1] }).start();
    ${rest}`;
  const unheld = nodeProcess(script('unheld', ''));
  const held = nodeProcess(script('held', 'setInterval(() => {}, 1000);'));
  onTestFinished(() => {
    for (const child of [held, unheld]) child.kill('SIGKILL');
  });
  expect(await once(unheld, 'exit')).toEqual([0, null]);
  await expect.poll(() => store.read('held')?.agents.ann?.beat ?? 0, { timeout: 20_000 }).toBeGreaterThan(2);
  expect(standingOf(store.read('held'), self).standing).toBe('alive');
  held.kill('SIGKILL');
  await once(held, 'exit');
  expect(standingOf(store.read('held'), self).standing).toBe('dead');
  expect(standingOf(store.read('unheld'), self).standing).toBe('dead');
});
