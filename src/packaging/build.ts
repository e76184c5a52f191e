import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { licenceTexts } from './licence-texts.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const dist = join(root, 'dist');

// Bundled packages of the old kind call `require` for what Node brings along.
const banner =
  "import{createRequire as loopxCreateRequire}from'node:module';const require=loopxCreateRequire(import.meta.url);";

// Zod brings its messages in fifty languages along; ours are English, and every start would read the others.
const englishOnly: Plugin = {
  name: 'english-only',
  setup: (building) =>
    building.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    })),
};

rmSync(dist, { recursive: true, force: true });
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: ['src/main.ts'],
  outdir: 'dist',
  bundle: true,
  splitting: true,
  minify: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  legalComments: 'none',
  // Its main entry is a module of the old kind that a bundler cannot see through.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  plugins: [englishOnly],
  banner: { js: banner },
  logLevel: 'warning',
  metafile: true,
});
chmodSync(join(dist, 'main.js'), 0o755);
writeFileSync(join(dist, 'third-party-licences.txt'), licenceTexts(root, Object.keys(metafile.inputs)));
