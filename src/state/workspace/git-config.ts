import { join, resolve } from 'node:path';
import { readSmallFile } from './small-file.ts';

const configSizeBytesMax = 1024 * 1024;

/**
 * `core.worktree` of a git folder as an absolute path, or undefined when it is not set. Submodules set it. Included
 * files are not followed: git writes this key itself, and always into one of the two files read here.
 */
export function configuredWorktree(gitDir: string): string | undefined {
  for (const name of ['config.worktree', 'config']) {
    const text = readSmallFile(join(gitDir, name), configSizeBytesMax);
    const value = text === undefined ? undefined : coreValue(text, 'worktree');
    if (value) return resolve(gitDir, value);
  }
  return undefined;
}

/** The last value of a key of the section `[core]`, unquoted; the file's syntax is that of git-config(1). */
export function coreValue(text: string, key: string): string | undefined {
  let inCore = false;
  let found: string | undefined;
  for (const line of text.split('\n')) {
    const section = /^\s*\[\s*([^\]]*?)\s*\]/.exec(line);
    if (section) inCore = section[1]!.toLowerCase() === 'core';
    const entry = /^\s*(?:\[[^\]]*\])?\s*([A-Za-z][A-Za-z0-9-]*)\s*=\s*(.*?)\s*$/.exec(line);
    if (inCore && entry && entry[1]!.toLowerCase() === key) found = unquote(entry[2]!);
  }
  return found;
}

function unquote(raw: string): string {
  let value = '';
  let isQuoted = false;
  for (let i = 0; i < raw.length; i++) {
    const char = raw[i]!;
    if (char === '\\') value += raw[++i] ?? '';
    else if (char === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (char === '#' || char === ';')) break;
    else value += char;
  }
  return isQuoted ? value : value.trimEnd();
}
