// Bundles the benchmarks as the program itself is bundled, so that what is measured is what is shipped, and runs them:
// all of them, or those whose names hold one of the words on the command line.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';

const folder = mkdtempSync(join(tmpdir(), 'loopx-bench-'));
try {
  buildSync({
    entryPoints: ['run', 'writer-process', 'opening-process', 'echo-server'].map((name) =>
      join(import.meta.dirname, `${name}.ts`),
    ),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    logLevel: 'warning',
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    banner: {
      js: "import{createRequire as benchRequire}from'node:module';const require=benchRequire(import.meta.url);",
    },
  });
  const profile = process.env.LOOPX_BENCH_PROFILE
    ? ['--cpu-prof', '--cpu-prof-dir', process.env.LOOPX_BENCH_PROFILE]
    : [];
  const args = [...profile, join(folder, 'run.mjs'), ...process.argv.slice(2)];
  const env = { ...process.env, LOOPX_BENCH_MAIN: join(import.meta.dirname, '..', 'dist', 'main.js') };
  process.exitCode = spawnSync(process.execPath, args, { stdio: 'inherit', env }).status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
