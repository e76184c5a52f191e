import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hostFiles } from './host-files.ts';
import { marketplaceFile } from './plugin-files.ts';

const hosts = fileURLToPath(new URL('../hosts/', import.meta.url));
for (const [name, text] of hostFiles()) {
  mkdirSync(dirname(join(hosts, name)), { recursive: true });
  writeFileSync(join(hosts, name), text);
}
const marketplace = fileURLToPath(new URL('../.claude-plugin/marketplace.json', import.meta.url));
mkdirSync(dirname(marketplace), { recursive: true });
writeFileSync(marketplace, marketplaceFile());
