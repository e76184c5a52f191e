import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openMemoryLog } from '../../src/state/log/memory-log.ts';
import { openControlPlane } from '../../src/state/open-control-plane.ts';
import { caller, Workspace, work } from './workspace.ts';

describe('An audit', () => {
  let workspace: Workspace;
  beforeEach(async () => {
    workspace = await Workspace.open();
  });
  afterEach(() => workspace.remove());

  it('is clean where nothing was done yet', async () => {
    expect(await workspace.audit({ deep: true })).toMatchObject({
      ok: true,
      version: 0,
      clean: true,
      checked: { commits: 0, goals: 0, todos: 0, claims: 0, spentSlots: 0, signatures: 0, hashes: 0 },
      differences: [],
    });
  });

  it('is clean after work, says how much it checked, and writes nothing to the log [R14]', async () => {
    await work(workspace);
    const before = readFileSync(workspace.segment);
    const { version } = await workspace.status({ goal: 'parser' });
    const audit = await workspace.audit({ deep: true });
    expect(audit).toMatchObject({ clean: true, version, differences: [], shown: 0, total: 0 });
    const counts = { commits: version, goals: 2, todos: 7, gates: 2, evidence: 2, claims: 1, spentSlots: 2, hashes: 2 };
    expect(audit.checked).toMatchObject({ ...counts, bytes: 'read from the files' });
    expect(readFileSync(workspace.segment)).toEqual(before);
    expect(Buffer.byteLength(JSON.stringify(audit))).toBeLessThan(8_192);
  });

  it('is of one goal where one is named, and refused where there is no such goal', async () => {
    await work(workspace);
    expect(await workspace.audit({ goal: 'docs' })).toMatchObject({ clean: true, checked: { goals: 1, todos: 0 } });
    expect(await workspace.audit({ goal: 'nowhere' })).toMatchObject({ ok: false });
  });

  it('is the same in another server, and after another has written [R3]', async () => {
    await work(workspace);
    const first = await workspace.audit();
    await workspace.another();
    const second = await workspace.audit();
    expect(second.checked).toEqual(first.checked);
    await workspace.act({ type: 'todo.add', goal: 'docs', todos: [{ title: 'One more' }] }, 'bob');
    expect(await workspace.audit()).toMatchObject({ clean: true, version: first.version + 1, checked: { todos: 8 } });
  });

  it('is clean while others write, each answer held to its own version [R3] [R13]', async () => {
    await work(workspace);
    const writer = workspace.plane;
    await workspace.another();
    let isOver = false;
    const writing = (async () => {
      for (let at = 0; !isOver; at++) {
        await writer.execute({ type: 'todo.add', goal: 'parser', todos: [{ title: `More ${at}` }] }, caller('bob'));
        await writer.execute({ type: 'todo.claim', goal: 'parser' }, caller('bob'));
      }
    })();
    const audits = [await workspace.audit(), await workspace.audit(), await workspace.audit({ deep: true })];
    isOver = true;
    await writing;
    for (const audit of audits) expect(audit).toMatchObject({ clean: true, differences: [] });
    expect(audits.some((audit) => /^from version \d+ to \d+;/.test(audit.checked.moved))).toBe(true);
  });

  it('hashes files where this process sees them, be it in another working tree', async () => {
    const worktree = mkdtempSync(join(tmpdir(), 'loopx-audit-tree-'));
    const { root, stateDir } = workspace;
    const plane = await openControlPlane({ root, worktree, stateDir, env: {} });
    writeFileSync(join(worktree, 'only-here.txt'), 'one');
    await plane.execute({ type: 'goal.start', goal: 'g', objective: 'o' }, caller('ann'));
    const proof = { kind: 'test', summary: 's', result: 'pass', files: ['only-here.txt'] } as const;
    expect(await plane.execute({ type: 'evidence.write', goal: 'g', ...proof }, caller('ann'))).toMatchObject({
      ok: true,
    });
    const audit = await plane.query({ type: 'audit', deep: true }, caller('ann'));
    await plane.close();
    rmSync(worktree, { recursive: true });
    expect(audit).toMatchObject({ clean: true, checked: { hashes: 1 } });
  });

  it('takes no notice away from the agent it is made for', async () => {
    await work(workspace);
    await workspace.act({ type: 'agent.join' }, 'bob');
    await workspace.own({ type: 'gate.answer', gate: 'G2', option: 'yes' });
    const told = await workspace.plane.query({ type: 'audit' }, caller('bob'));
    expect(told.notices).toContainEqual(expect.objectContaining({ code: 'gate-answered', gate: 'G2' }));
  });

  it('of a store without files says that no bytes were read', async () => {
    const other = await Workspace.open(openMemoryLog());
    await work(other);
    const audit = await other.audit({ deep: true });
    await other.remove();
    expect(audit).toMatchObject({ clean: true, checked: { bytes: expect.stringMatching(/^not read from files/) } });
  });
});
