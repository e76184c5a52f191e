import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const src = resolve(import.meta.dirname, '../../../src');

interface Import {
  readonly file: string;
  readonly from: string;
}

function filesUnder(folder: string): readonly string[] {
  return readdirSync(join(src, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name));
}

/** What the files of a folder import, relative files as paths under src. */
function importsOf(folder: string): readonly Import[] {
  return filesUnder(folder).flatMap((file) => {
    const text = readFileSync(join(src, file), 'utf8');
    const named = [...text.matchAll(/(?:\bfrom|\bimport|\bimport\()\s*'([^']+)'/g)].map((match) => match[1] as string);
    return named.map((name) => ({
      file,
      from: name.startsWith('.') ? relative(src, resolve(src, dirname(file), name)) : name,
    }));
  });
}

/** Comments and texts may speak of a clock; code may not read one. */
function codeOf(file: string): string {
  return readFileSync(join(src, file), 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\/\/.*$/gm, '')
    .replace(/'(?:[^'\\\n]|\\.)*'/g, "''");
}

describe('the kernel', () => {
  it('imports nothing but the kernel', () => {
    const imports = importsOf('state/kernel');
    expect(imports.length).toBeGreaterThan(100);
    expect(imports.filter(({ from }) => !from.startsWith('state/kernel/'))).toEqual([]);
  });

  it('reads no clock, no randomness, no process, and waits for nothing', () => {
    const files = filesUnder('state/kernel');
    expect(files.length).toBeGreaterThan(30);
    const reads =
      /Date\.now|new Date\(\)|\bDate\(\)|Math\.random|\bprocess\.|\bcrypto\.(?!digest|verify)|performance|globalThis|setTimeout|\bawait\b|\basync\b|\bconsole\b|\brequire\(/;
    const found = files.flatMap(
      (file) =>
        codeOf(file)
          .match(reads)
          ?.map((text) => `${file}: ${text}`) ?? [],
    );
    expect(found).toEqual([]);
  });
});

describe('the control plane', () => {
  it('knows nothing of MCP, tools, prompts, resources, the command line or the dashboard', () => {
    const imports = importsOf('state');
    expect(imports.length).toBeGreaterThan(200);
    const surfaces =
      /^(?:@modelcontextprotocol|commander|tools|prompts|resources|cli|dashboard|host)(?:\/|$)|^(?:main|server|serve)\.ts$/;
    expect(imports.filter(({ from }) => surfaces.test(from))).toEqual([]);
  });
});
