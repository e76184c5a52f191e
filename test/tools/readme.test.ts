import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tools } from '../../src/tools/registry.ts';

const section = /(<!-- tools -->\n)([\s\S]*?)(<!-- \/tools -->)/;

/** The README's table, made from the registry. */
function table(): string {
  const rows = tools.map(({ name, noun, verb, title }) => {
    const command = ['loopx', noun, verb].filter((word) => word !== undefined).join(' ');
    return `| \`${name}\` | \`${command}\` | ${title} |`;
  });
  return ['', '| tool | command | what it does |', '|---|---|---|', ...rows, '', ''].join('\n');
}

test('the README names every tool as the registry has it; UPDATE_README=1 writes it [R20]', () => {
  const readme = readFileSync('README.md', 'utf8');
  if (process.env.UPDATE_README) writeFileSync('README.md', readme.replace(section, `$1${table()}$3`));
  expect(tools.length).toBeGreaterThan(0);
  expect(section.exec(readFileSync('README.md', 'utf8'))?.[2]).toBe(table());
});
