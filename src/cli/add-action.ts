import type { Command } from 'commander';
import type { CliCall } from './cli-call.ts';

/** What a command does with its flags and with the words after it. */
export type Action = (
  call: CliCall,
  flags: { readonly [name: string]: unknown },
  words: readonly (string | undefined)[],
) => Promise<void>;

export type AddAction = (command: Command, action: Action) => Command;
