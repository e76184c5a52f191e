import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openControlPlane } from '../../src/state/open-control-plane.ts';
import { type PostgresServer, startPostgres } from '../postgres/start-postgres.ts';
import { Workspace, work } from './workspace.ts';

describe('An audit of a workspace in PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());

  it('is clean by the same chain, and says that no files were read', async () => {
    const workspace = new Workspace();
    const { root, stateDir } = workspace;
    const env = { LOOPX_STORE: server.url, LOOPX_TEAM_WORKSPACE: 'audited' };
    workspace.plane = await openControlPlane({ root, stateDir, env });
    await work(workspace);
    const audit = await workspace.audit({ deep: true });
    await workspace.plane.close();
    await workspace.remove();
    expect(audit).toMatchObject({ clean: true, differences: [], checked: { goals: 2, todos: 7, hashes: 2 } });
    expect(audit.checked.bytes).toMatch(/^not read from files/);
  });
});
