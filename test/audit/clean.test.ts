import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Workspace, work } from './workspace.ts';

describe('An audit of a workspace nothing is wrong with', () => {
  let workspace: Workspace;
  beforeEach(async () => {
    workspace = await Workspace.open();
  });
  afterEach(() => workspace.remove());

  it('is clean', async () => {
    await work(workspace);
    const audit = await workspace.audit({ deep: true });
    expect(audit.differences).toEqual([]);
  });
});
