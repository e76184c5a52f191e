import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HostInstallError, installHost } from './install-hosts.ts';

describe('Installing a host', () => {
  let folder = '';

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'loopx-hosts-'));
    vi.stubEnv('LOOPX_HOSTS_DIR', folder);
    // Nobody listens on port 1.
    vi.stubEnv('npm_config_registry', 'http://127.0.0.1:1');
    vi.stubEnv('npm_config_fetch_retries', '0');
    vi.stubEnv('npm_config_cache', join(folder, '.npm'));
  });

  afterEach(async () => {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true, force: true });
  });

  it('says what to do when npm cannot reach a registry, and leaves no half of an install', async () => {
    const failure = await installHost('gemini').catch((cause: unknown) => cause);
    expect(failure).toBeInstanceOf(HostInstallError);
    expect(failure).toMatchObject({
      code: 'host-install-failed',
      message: expect.stringMatching(/@google\/gemini-cli@.*Is a registry in reach\? Set LOOPX_HOSTS_DIR/),
    });
    expect(await readdir(folder)).toEqual(['.npm']);
  });
});
