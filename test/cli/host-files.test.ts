import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { hostSetups } from '../../src/hosts/host-setups.ts';
import { hostFiles } from '../../src/packaging/host-files.ts';
import { prompts } from '../../src/prompts/registry.ts';
import { tools } from '../../src/tools/registry.ts';
import { version } from '../../src/version.ts';

const hosts = fileURLToPath(new URL('../../hosts/', import.meta.url));
const text = (name: string) => readFileSync(`${hosts}${name}`, 'utf8');

test('hosts/ holds what the registries say, and nothing else: npm run hosts:write brings it up to date [R33]', () => {
  const there = readdirSync(hosts, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(hosts.length).replace(/^\//, ''));
  expect(there.sort()).toEqual([...hostFiles().keys()].sort());
  for (const [name, wanted] of hostFiles()) expect({ name, text: text(name) }).toEqual({ name, text: wanted });
});

test('each configuration names the server loopx and pins the version [R33]', () => {
  const pinned = { command: 'npx', args: ['-y', `loopx-mcp@${version}`] };
  expect(JSON.parse(text('claude-code/mcp.json')).mcpServers.loopx).toMatchObject({ ...pinned, alwaysLoad: true });
  expect(JSON.parse(text('cursor/mcp.json')).mcpServers.loopx).toMatchObject(pinned);
  expect(text('codex/config.toml')).toContain(
    `[mcp_servers.loopx]\ncommand = "npx"\nargs = ["-y", "loopx-mcp@${version}"]`,
  );
});

test.each(hostSetups.map((setup) => [setup.host, setup] as const))(
  'the page of %s names every tool and command, install, check and removal',
  (host, setup) => {
    const page = text(`${host}/README.md`);
    for (const { name } of tools) expect(page).toContain(`${setup.toolPrefix}${name}\``);
    for (const { name } of prompts) expect(page).toContain(`\`${name}\``);
    for (const part of [setup.install, setup.check, '## Remove']) expect(page).toContain(part);
  },
);
