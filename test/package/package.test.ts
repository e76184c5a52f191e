import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serverJson } from '../../src/packaging/package-facts.ts';
import { marketplaceFile } from '../../src/packaging/plugin-files.ts';
import { version } from '../../src/version.ts';
import { startGoalOver } from './ask-server.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const text = (name: string) => readFileSync(join(root, name), 'utf8');

interface Packed {
  readonly filename: string;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

describe('The package as npm packs it', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'loopx-package-')));
  const app = join(folder, 'app');
  const installed = join(app, 'node_modules', 'loopx-mcp');
  let packed: Packed;
  const bare = { HOME: folder, PATH: process.env.PATH ?? '' };
  /** No registry is in reach: what is installed must be in the package. */
  const env = { ...bare, npm_config_registry: 'http://127.0.0.1:1' };
  const loopx = (args: readonly string[]) =>
    spawnSync(process.execPath, [join(installed, 'dist', 'main.js'), ...args], {
      cwd: app,
      env: bare,
      encoding: 'utf8',
    });

  beforeAll(() => {
    const said = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
      cwd: root,
      encoding: 'utf8',
    });
    [packed] = JSON.parse(said) as [Packed];
    mkdirSync(app);
    execFileSync('git', ['init', '--quiet'], { cwd: app });
    const args = ['install', '--offline', '--no-audit', '--no-fund', join(folder, packed.filename)];
    execFileSync('npm', args, { cwd: app, env, stdio: 'pipe' });
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('stays under 2 MB unpacked, in its own files only [R31]', () => {
    expect(packed.unpackedSize).toBeLessThan(2_000_000);
    const tops = [...new Set(packed.files.map(({ path }) => path.split('/')[0]))].sort();
    expect(tops).toEqual(['.claude-plugin', 'CHANGELOG.md', 'LICENSE', 'README.md', 'dist', 'hosts', 'package.json']);
  });

  it('runs no script when it is installed, brings no native addon and depends on no package [R31]', () => {
    const about = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    for (const name of ['preinstall', 'install', 'postinstall', 'prepare', 'prepublish'])
      expect(about.scripts).not.toHaveProperty(name);
    for (const kind of ['dependencies', 'optionalDependencies', 'peerDependencies', 'bundleDependencies'])
      expect(about).not.toHaveProperty(kind);
    expect(packed.files.filter(({ path }) => /\.(node|gyp|so|dll|dylib|wasm)$/.test(path))).toEqual([]);
    expect(readdirSync(join(app, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['loopx-mcp']);
  });

  it('works without any other package: version, doctor, and a server that keeps a goal [R11, R31]', async () => {
    expect(loopx(['version']).stdout.trim()).toBe(version);
    expect(loopx(['doctor', '--json'])).toMatchObject({ status: 0, stderr: '' });
    const main = join(installed, 'dist', 'main.js');
    const served = await startGoalOver(process.execPath, [main, 'serve'], { cwd: app, env: bare });
    expect(served).toMatchObject({ code: 0, answer: { ok: true, goal: { objective: 'Try it' } } });
    expect(loopx(['status']).stdout).toContain('Try it');
    // The rules for credentials are a package of their own; they are in the bundle, too.
    const todos = JSON.stringify([{ title: `Use ghp_${'aB3d'.repeat(9)}` }]);
    expect(loopx(['todo', 'add', '--todos', todos])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('credential'),
    });
  });

  it('brings the licences of what it bundles', () => {
    const licences = readFileSync(join(installed, 'dist', 'third-party-licences.txt'), 'utf8');
    for (const name of ['@modelcontextprotocol/server', 'zod', 'commander', 'pg', 'lowdb', 'nanoid'])
      expect(licences).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(`, 'm'));
    expect(licences).toContain('Permission is hereby granted');
    expect(licences).toContain('Apache License');
  });

  it('is content with publint', () => {
    const { stdout, status } = spawnSync('npx', ['publint', 'run', '--strict', '--pack', 'npm'], {
      cwd: root,
      encoding: 'utf8',
    });
    expect({ status, stdout }).toMatchObject({ status: 0 });
  });
});

describe('What others read of the package', () => {
  it('names it to the MCP registry as package.json does, by the generated server.json [R33]', () => {
    expect(text('server.json')).toBe(serverJson());
    const server = JSON.parse(serverJson());
    const about = JSON.parse(text('package.json'));
    expect(server).toMatchObject({
      name: about.mcpName,
      version: about.version,
      packages: [{ identifier: about.name, version: about.version, transport: { type: 'stdio' } }],
    });
    expect(server.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
    expect(server.description.length).toBeLessThanOrEqual(100);
  });

  it('offers the plugin in a marketplace whose source is there [R33]', () => {
    expect(text('.claude-plugin/marketplace.json')).toBe(marketplaceFile());
    const [plugin] = JSON.parse(marketplaceFile()).plugins;
    expect(existsSync(join(root, plugin.source, '.claude-plugin', 'plugin.json'))).toBe(true);
    expect(text('hosts/claude-code/plugin/.mcp.json')).not.toContain('CLAUDE_PLUGIN_ROOT');
  });
});

describe('The bundle for Claude Desktop', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'loopx-mcpb-')));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('passes its packer, unpacks, and serves the folder that the person chose [R31, R33]', async () => {
    const bundle = join(folder, 'loopx.mcpb');
    const said = execFileSync('npx', ['tsx', 'src/packaging/pack-mcpb.ts', bundle], { cwd: root, encoding: 'utf8' });
    expect(said).toContain('Manifest schema validation passes');
    execFileSync('npx', ['mcpb', 'unpack', bundle, join(folder, 'out')], { cwd: root, stdio: 'pipe' });
    const manifest = JSON.parse(readFileSync(join(folder, 'out', 'manifest.json'), 'utf8'));
    const project = join(folder, 'project');
    mkdirSync(project);
    const { command, args } = manifest.server.mcp_config as { command: string; args: string[] };
    const filled = args.map((arg) =>
      arg.replace(`\${__dirname}`, join(folder, 'out')).replace(`\${user_config.workspace}`, project),
    );
    const env = { PATH: process.env.PATH ?? '', HOME: folder };
    const served = await startGoalOver(command, filled, { cwd: '/', env });
    expect(served).toMatchObject({ code: 0, answer: { ok: true } });
    expect(existsSync(join(project, '.loopx'))).toBe(true);
  });
});
