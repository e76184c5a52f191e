import type { SimpleCommand } from './shell-line.ts';

/** Programs that write, move or remove every file they are given. */
const writesAll = new Set([
  'rm',
  'rmdir',
  'mv',
  'touch',
  'tee',
  'truncate',
  'shred',
  'unlink',
  'chmod',
  'chown',
  'patch',
]);
/** Programs that write only the last file they are given. */
const writesLast = new Set(['cp', 'install', 'ln', 'rsync']);
const gitWrites = new Set(['rm', 'mv', 'checkout', 'restore', 'clean']);

/** The files that a simple command is plainly seen to write; what it writes in other ways is not seen. */
export function writtenFiles({ words, writesTo }: SimpleCommand): readonly string[] {
  return [...writesTo.filter((file) => !file.startsWith('/dev/')), ...writtenArguments(words)];
}

function writtenArguments(words: readonly string[]): readonly string[] {
  const [program = '', ...rest] = words;
  const given = rest.filter((word) => !word.startsWith('-'));
  if (writesAll.has(program)) return given;
  if (writesLast.has(program)) return given.slice(-1);
  if (program === 'sed' && rest.some((word) => /^(-\w*i|--in-place)/.test(word))) return given;
  if (program === 'perl' && rest.some((word) => /^-\w*i/.test(word))) return given;
  if (program === 'dd') return rest.flatMap((word) => (word.startsWith('of=') ? [word.slice(3)] : []));
  if (program === 'git' && gitWrites.has(given[0] ?? '')) return given.slice(1);
  if (program === 'find' && rest.includes('-delete')) return given.slice(0, 1);
  return [];
}
