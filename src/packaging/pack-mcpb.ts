import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packExtension } from '@anthropic-ai/mcpb';
import { version } from '../version.ts';
import { mcpbManifest } from './package-facts.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const dist = resolve(process.env.LOOPX_DIST ?? join(root, 'dist'));
const target = resolve(process.argv[2] ?? join(root, `loopx-${version}.mcpb`));

if (!existsSync(join(dist, 'main.js'))) throw new Error('There is nothing to pack; run `npm run build` first.');
const staging = mkdtempSync(join(tmpdir(), 'loopx-mcpb-'));
try {
  mkdirSync(join(staging, 'server'));
  cpSync(dist, join(staging, 'server'), { recursive: true });
  // The server's files are modules, which Node knows from the nearest package.json.
  writeFileSync(join(staging, 'server', 'package.json'), '{ "type": "module" }\n');
  copyFileSync(join(root, 'LICENSE'), join(staging, 'LICENSE'));
  writeFileSync(join(staging, 'manifest.json'), mcpbManifest());
  // The packer checks the manifest first, and says on stdout what is wrong with it.
  if (!(await packExtension({ extensionPath: staging, outputPath: target })))
    throw new Error('The packer refused the bundle.');
} finally {
  rmSync(staging, { recursive: true, force: true });
}
