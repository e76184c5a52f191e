import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The licences of all packages that the bundle holds a file of, as their texts ask to be passed on. Throws where a package
 * brings none and it is not the best known: it cannot be shipped then.
 * @param inputs the bundle's source files, relative to the root
 */
export function licenceTexts(root: string, inputs: readonly string[]): string {
  const folders = [...new Set(inputs.flatMap(packageFolder))].sort();
  const texts = folders.map((folder) => licenceOf(join(root, folder)));
  return `The files beside this one hold code of these packages.\n\n${texts.join(`\n${'-'.repeat(80)}\n\n`)}`;
}

function packageFolder(input: string): readonly string[] {
  const found = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1];
  return found === undefined ? [] : [found];
}

function licenceOf(folder: string): string {
  const about = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly name: string;
    readonly version: string;
    readonly license?: string;
    readonly author?: string | { readonly name?: string };
  };
  const { name, version, license } = about;
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice)(\.|$|-)/i.test(file));
  const author = typeof about.author === 'string' ? about.author : about.author?.name;
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
  if (texts.length === 0) {
    if (license !== 'MIT') throw new Error(`${name} brings no text of its licence (${license}); it cannot be bundled.`);
    texts.push(`Copyright (c) ${author ?? `the authors of ${name}`}\n\n${mitText}`);
  }
  return `${name} ${version} (${license ?? 'see below'})\n\n${texts.join('\n\n')}\n`;
}

/** For packages that name this licence and forgot its text. */
const mitText = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;
