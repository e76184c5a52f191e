import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AgentMemory, everyone } from '../../../src/state/presence/agent-memory.ts';
import { temporaryStateDir } from './temp.ts';

const empty = { toldVersion: 0, notified: {}, backoff: {} };

function open() {
  const stateDir = temporaryStateDir();
  mkdirSync(stateDir);
  return { stateDir, folder: join(stateDir, 'presence', 'agents') };
}

test('what was said is remembered per agent and by later processes [R28]', () => {
  const { stateDir } = open();
  const memory = new AgentMemory(stateDir);
  memory.update('ann', (before) => ({ ...before, toldVersion: 7, notified: { G1: { at: 5, count: 1 } } }));
  memory.update(everyone, (before) => ({ ...before, toldVersion: 9 }));
  const later = new AgentMemory(stateDir);
  expect(later.get('ann')).toEqual({ ...empty, toldVersion: 7, notified: { G1: { at: 5, count: 1 } } });
  expect(later.get(everyone).toldVersion).toBe(9);
  expect(later.get('bob')).toEqual(empty);
});

test('a damaged or foreign file is an empty memory, and the next update mends it [R28]', () => {
  const { stateDir, folder } = open();
  const memory = new AgentMemory(stateDir);
  memory.update('ann', (before) => ({ ...before, toldVersion: 7 }));
  for (const text of ['', '{"toldVersion":', '{"toldVersion":"7"}', 'null', 'x'.repeat(300_000)]) {
    writeFileSync(join(folder, 'ann.json'), text);
    expect(memory.get('ann')).toEqual(empty);
  }
  memory.update('ann', (before) => ({ ...before, toldVersion: 8 }));
  expect(new AgentMemory(stateDir).get('ann').toldVersion).toBe(8);
});

test('an agent name cannot lead out of the folder', () => {
  const { stateDir, folder } = open();
  const memory = new AgentMemory(stateDir);
  const names = ['../../x', '..', 'a/b', 'ann.b', 'é', 'n'.repeat(5_000), '~x', ''];
  for (const [index, name] of names.entries()) memory.update(name, (before) => ({ ...before, toldVersion: index + 1 }));
  expect(names.map((name) => memory.get(name).toldVersion)).toEqual(names.map((_, index) => index + 1));
  expect(readdirSync(folder)).toHaveLength(names.length);
  expect(readdirSync(stateDir)).toEqual(['presence']);
});

test('without a state folder the memory lasts as long as the process and writes nothing [R14]', () => {
  const stateDir = temporaryStateDir();
  const memory = new AgentMemory(stateDir);
  memory.update('ann', (before) => ({ ...before, toldVersion: 7 }));
  expect(memory.get('ann').toldVersion).toBe(7);
  expect(existsSync(stateDir)).toBe(false);
});

test('the oldest notes go when there are too many', () => {
  const { stateDir } = open();
  const memory = new AgentMemory(stateDir);
  const notified = Object.fromEntries(Array.from({ length: 700 }, (_, i) => [`G${i}`, { at: i, count: 1 }]));
  const kept = Object.keys(memory.update('ann', (before) => ({ ...before, notified })).notified);
  expect(kept).toHaveLength(500);
  expect(kept).toContain('G699');
  expect(kept).not.toContain('G0');
});
