import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { FoundWorkspace } from '../plane-provider.ts';
import type { Deed } from '../state/permit.ts';
import type { HookCall } from './hook-call.ts';
import { patchFiles } from './patch-files.ts';
import { simpleCommands } from './shell-line.ts';
import { writtenFiles } from './shell-writes.ts';
import { isScratch, workspacePaths } from './workspace-path.ts';

/** Tools of hosts that write one file, and the arguments that name it. */
const fileTools = /^(Write|Edit|MultiEdit|NotebookEdit|StrReplace|Delete|EditNotebook)$/;
const fileFields = ['file_path', 'notebook_path', 'path', 'target_file', 'target_notebook'] as const;
const shellTools = /^(Bash|Shell|PowerShell|shell|exec_command|shell_command|local_shell)$/;

type Environment = { readonly [name: string]: string | undefined };

/** What the tool is about to do in this workspace; undefined for tools that write nothing and run nothing. */
export function deedOf(call: HookCall, workspace: FoundWorkspace, env: Environment): Deed | undefined {
  const cwd = call.cwd ?? workspace.worktree;
  const tool = call.tool ?? '';
  const text = shellText(call.toolInput.command ?? call.toolInput.cmd);
  if (fileTools.test(tool)) {
    const files = fileFields.flatMap((field) => {
      const file = call.toolInput[field];
      return typeof file === 'string' && file !== '' ? [file] : [];
    });
    return { writes: inWorkspace(files, cwd, workspace, env) };
  }
  if (tool === 'apply_patch') {
    const patch = text || shellText(call.toolInput.input ?? call.toolInput.patch);
    return { writes: inWorkspace(patchFiles(patch), cwd, workspace, env) };
  }
  return shellTools.test(tool) && text !== '' ? shellDeed(text, cwd, workspace, env) : undefined;
}

function shellDeed(line: string, start: string, workspace: FoundWorkspace, env: Environment): Deed {
  let cwd = start;
  const touches: string[] = [];
  const commands: string[] = [];
  const patches = line.includes('*** Begin Patch') ? patchFiles(line) : [];
  for (const command of simpleCommands(line)) {
    const [program, target = '~'] = command.words;
    if (program === 'cd') cwd = resolve(cwd, fromHome(target));
    if (program !== undefined) commands.push(command.words.join(' '));
    for (const file of writtenFiles(command)) touches.push(...workspacePaths(fromHome(file), cwd, workspace));
  }
  return { writes: inWorkspace(patches, start, workspace, env), touches: [...new Set(touches)], commands };
}

function inWorkspace(files: readonly string[], cwd: string, workspace: FoundWorkspace, env: Environment) {
  const paths = files.flatMap((file) => workspacePaths(fromHome(file), cwd, workspace));
  return [...new Set(paths)].filter((path) => !isScratch(path, env));
}

function fromHome(file: string): string {
  return file === '~' || file.startsWith('~/') ? join(homedir(), file.slice(1)) : file;
}

/** Hosts give a command as one line or as its words; of `["bash", "-lc", line]` the line is meant. */
function shellText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value) || !value.every((word) => typeof word === 'string')) return '';
  const flag = value.findIndex((word) => /^-\w*c$/.test(word));
  const line: string | undefined = flag > 0 ? value[flag + 1] : undefined;
  return line ?? value.join(' ');
}
