import type { HookEvent, HookHost } from '../hooks/hook-call.ts';
import { serverCommand } from './host-setups.ts';

/**
 * The line that a host's hook runs: the installed command where there is one, since a hook runs before every tool, else
 * the package at this version, which npx starts more slowly.
 */
export function hookCommand(event: HookEvent, host?: HookHost): string {
  const words = ['hook', event, ...(host === undefined ? [] : ['--host', host])].join(' ');
  const byNpx = [serverCommand.command, ...serverCommand.args].join(' ');
  return `if command -v loopx >/dev/null 2>&1; then exec loopx ${words}; else exec ${byNpx} ${words}; fi`;
}
