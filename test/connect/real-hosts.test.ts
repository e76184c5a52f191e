import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { mainPath, Place } from '../cli/loopx.ts';
import type { HostName } from '../hosts/host-versions.ts';
import { installHost } from '../hosts/install-hosts.ts';

const run = promisify(execFile);
const hostTimeoutMs = 60_000;
const testTimeoutMs = 420_000;

let place: Place;
beforeEach(() => {
  place = new Place();
  // As `npm i -g` leaves it: connect then names this command, which a host can really start.
  const bin = join(place.home, 'bin');
  mkdirSync(bin);
  symlinkSync(mainPath, join(bin, 'loopx'));
  place.env.PATH = [bin, dirname(process.execPath), place.env.PATH].join(':');
});
afterEach(() => place.remove());

/** What the host says on both streams. It gets nothing of the environment but what every host needs. */
async function ask(name: HostName, args: readonly string[]): Promise<string> {
  const host = await installHost(name);
  const env = {
    ...place.env,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
    NO_COLOR: '1',
  };
  const { stdout, stderr } = await run(host.command, [...host.args, ...args], {
    cwd: place.project,
    env,
    timeout: hostTimeoutMs,
  });
  return stdout + stderr;
}

test.each([
  ['claude-code', 'claude', /loopx:.*Connected/],
  ['claude-code', 'claude-npm', /loopx:.*Connected/],
  ['opencode', 'opencode', /loopx\b.*connected/],
  ['gemini', 'gemini', /loopx:.*Connected/],
] as const)(
  '%s (%s) starts the server that connect wrote down, and no longer after disconnect [R33]',
  async (host, build, connected) => {
    expect(place.run(['connect', '--host', host, '--scope', 'user', '--yes']).code).toBe(0);
    expect(await ask(build, ['mcp', 'list'])).toMatch(connected);
    expect(place.run(['disconnect', '--host', host, '--yes']).code).toBe(0);
    expect(await ask(build, ['mcp', 'list'])).not.toMatch(/loopx(?!-cli)/);
  },
  testTimeoutMs,
);

test(
  'codex reads what connect wrote into a file with settings of its own, at home or in a project it trusts [R33]',
  async () => {
    mkdirSync(join(place.home, '.codex'));
    const config = join(place.home, '.codex', 'config.toml');
    const settings = `[projects.${JSON.stringify(place.project)}]\ntrust_level = "trusted" # mine\n`;
    for (const scope of ['user', 'project']) {
      writeFileSync(config, settings);
      expect(place.run(['connect', '--host', 'codex', '--scope', scope, '--yes']).code).toBe(0);
      const listed = await ask('codex', ['mcp', 'get', 'loopx']);
      expect(listed).toContain('enabled: true');
      expect(listed).toContain('startup_timeout_sec: 60');
      expect(place.run(['disconnect', '--host', 'codex', '--yes']).code).toBe(0);
      expect(readFileSync(config, 'utf8')).toBe(settings);
      expect(await ask('codex', ['mcp', 'list'])).toContain('No MCP servers configured');
    }
  },
  testTimeoutMs,
);

test(
  'what a host has added to its own file since stays when the server goes [R33]',
  async () => {
    expect(place.run(['connect', '--host', 'claude-code', '--scope', 'user', '--yes']).code).toBe(0);
    await ask('claude', ['mcp', 'add', '--scope', 'user', 'other', '--', 'node', 'other.js']);
    const file = join(place.home, '.claude.json');
    const { mcpServers, ...others } = JSON.parse(readFileSync(file, 'utf8'));
    expect(Object.keys(mcpServers)).toEqual(['loopx', 'other']);
    expect(place.run(['disconnect', '--host', 'claude-code', '--yes']).code).toBe(0);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ ...others, mcpServers: { other: mcpServers.other } });
  },
  testTimeoutMs,
);
