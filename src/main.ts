#!/usr/bin/env node
// Picks server, hook or command line from the arguments, and nothing else. It has no static imports: a Node that is too old
// must get as far as the message below.
const nodeMajorMin = 20;
const args = process.argv.slice(2);

if (Number(process.versions.node.split('.')[0]) < nodeMajorMin) {
  console.error(`loopx needs Node ${nodeMajorMin} or newer; this is ${process.version}.`);
  process.exitCode = 1;
} else if (args[0] === 'serve' || (!process.stdin.isTTY && isWorkspaceOnly(args))) {
  const { serve } = await import('./serve.ts');
  serve(args[0] === 'serve' ? args.slice(1) : args);
} else if (args[0] === 'hook') {
  // Hosts wait for their hooks, so these are spared the command line's own start.
  const { hookMain } = await import('./hooks/hook-main.ts');
  await hookMain(args.slice(1));
} else {
  const { runCli } = await import('./cli/run-cli.ts');
  process.exitCode = await runCli(args.length === 0 ? ['--help'] : args);
}

/** Nothing at all, or only where to serve: what a host's configuration holds. */
function isWorkspaceOnly(given: readonly string[]): boolean {
  if (given.length === 0) return true;
  return given.length === (given[0]?.includes('=') ? 1 : 2) && /^--workspace(=|$)/.test(given[0] ?? '');
}
