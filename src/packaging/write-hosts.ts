import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hostFiles } from './host-files.ts';
import { serverJson } from './package-facts.ts';
import { marketplaceFile } from './plugin-files.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const files = [
  ...[...hostFiles()].map(([name, text]) => [`hosts/${name}`, text] as const),
  ['.claude-plugin/marketplace.json', marketplaceFile()] as const,
  ['server.json', serverJson()] as const,
];
for (const [name, text] of files) {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), text);
}
