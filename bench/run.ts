import { availableParallelism, cpus } from 'node:os';
import { coldStart } from './cold-start.ts';
import { commitInProcess } from './commit-in-process.ts';
import { commitOverStdio } from './commit-over-stdio.ts';
import { compare, type Figure, told } from './compare.ts';
import { eightProcesses } from './eight-processes.ts';
import { manyTodos } from './many-todos.ts';
import { opening } from './opening.ts';

const groups: { readonly [name: string]: () => Promise<readonly Figure[]> } = {
  commit: commitInProcess,
  stdio: commitOverStdio,
  processes: eightProcesses,
  opening,
  todos: manyTodos,
  cold: coldStart,
};

const asked = process.argv.slice(2);
console.log(`Node ${process.version}, ${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown processor'}`);
console.log('Each figure is ours to what ran beside it; medians, and in brackets between what eight in ten lie.\n');
for (const [name, figuresOf] of Object.entries(groups)) {
  if (asked.length > 0 && !asked.some((word) => name.includes(word))) continue;
  for (const figure of await figuresOf()) console.log(told(figure, await compare(figure)));
}
process.exit(0);
