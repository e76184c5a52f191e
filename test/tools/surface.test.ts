import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { instructions } from '../../src/instructions.ts';
import { prompts } from '../../src/prompts/registry.ts';
import { tools } from '../../src/tools/registry.ts';
import { type JsonSchema, wireSchema } from '../../src/tools/wire-schema.ts';
import { version } from '../../src/version.ts';

const kebab = (name: string) => name.replaceAll('_', '-');
const listed = tools.map((tool) => ({
  name: tool.name,
  title: tool.title,
  description: tool.description,
  inputSchema: wireSchema(tool),
  annotations: tool.annotations,
}));

function* partsOf(schema: JsonSchema): Generator<JsonSchema> {
  yield schema;
  for (const part of Object.values(schema.properties ?? {})) yield* partsOf(part);
  if (schema.items) yield* partsOf(schema.items);
}

describe('the tools', () => {
  it('are the sixteen of the contract, at most twenty, in at most 16,000 bytes [R19]', () => {
    expect(tools.map(({ name }) => name)).toEqual([
      'goal_start',
      'goal_status',
      'agent_join',
      'quota_should_run',
      'todo_add',
      'todo_claim',
      'todo_update',
      'gate_ask',
      'evidence_write',
      'writeback',
      'quota_spend',
      'handoff',
      'monitor_report',
      'reserve',
      'review_packet',
      'audit',
    ]);
    expect(Buffer.byteLength(JSON.stringify({ tools: listed }))).toBeLessThanOrEqual(16_000);
  });

  it('have plain snake_case names of at most 30 characters, each in a file of its name [R18]', () => {
    const files = readdirSync('src/tools');
    for (const { name } of tools) {
      expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/);
      expect(name.length).toBeLessThanOrEqual(30);
      expect(files).toContain(`${kebab(name)}.ts`);
    }
  });

  it('have titles, and descriptions under 2,000 bytes that name only tools and prompts that exist [R20]', () => {
    const known = new Set([...tools, ...prompts].map(({ name }) => name));
    const words = new Set(['ask_human']);
    for (const text of [...tools.map(({ description }) => description), instructions]) {
      expect(Buffer.byteLength(text)).toBeLessThan(2_000);
      for (const [name] of text.matchAll(/\b[a-z]+(_[a-z]+)+\b/g))
        expect(known.has(name) || words.has(name), name).toBe(true);
    }
    for (const { title } of tools) expect(title).not.toBe('');
  });

  it('are introduced by instructions whose first 250 characters say what for and when [R20]', () => {
    const first = instructions.slice(0, 250);
    expect(first).toMatch(/coding agents/);
    expect(first).toMatch(/quota_should_run.*todo_claim.*writeback\)\./s);
  });

  it('say honestly whether they write, and that they neither destroy nor leave the workspace [R19]', () => {
    for (const { name, kind, annotations } of tools) {
      const isRead = ['goal_status', 'review_packet', 'audit'].includes(name);
      expect(annotations, name).toEqual({
        readOnlyHint: isRead,
        destructiveHint: false,
        idempotentHint: kind !== 'write',
        openWorldHint: false,
      });
      expect(kind === 'read', name).toBe(isRead);
    }
  });

  it('have schemas that every host can read: no references, unions, type lists or closed objects [R16]', () => {
    for (const { name, inputSchema } of listed) {
      expect(inputSchema.type, name).toBe('object');
      const text = JSON.stringify(inputSchema);
      for (const word of [
        '$ref',
        '$defs',
        '$schema',
        'oneOf',
        'anyOf',
        'allOf',
        'additionalProperties',
        'pattern',
        'const',
      ]) {
        expect(text, name).not.toContain(`"${word}"`);
      }
      expect(Buffer.byteLength(text), name).toBeLessThan(5_000);
      for (const part of partsOf(inputSchema)) {
        expect(typeof part.type, name).toBe('string');
        if (part.type === 'array') expect(part.items, name).toBeDefined();
        for (const required of part.required ?? [])
          expect(Object.keys(part.properties ?? {}), name).toContain(required);
      }
    }
  });

  it('take agent and idempotencyKey on every write [R27]', () => {
    for (const { name, kind, input } of tools) {
      if (kind === 'read' || name === 'quota_should_run') continue;
      expect(Object.keys(input.shape), name).toEqual(expect.arrayContaining(['agent', 'idempotencyKey']));
    }
  });

  it.each(listed)('$name is listed as its golden file says', ({ name, ...face }) => {
    const file = `test/golden/${name}.json`;
    const text = `${JSON.stringify({ name, ...face }, null, 2)}\n`;
    if (process.env.UPDATE_GOLDEN) writeFileSync(file, text);
    expect(text).toBe(readFileSync(file, 'utf8'));
  });

  it('have one golden file each and no more', () => {
    expect(readdirSync('test/golden').sort()).toEqual(tools.map(({ name }) => `${name}.json`).sort());
  });

  it('tell the version of the package', () => {
    expect(version).toBe(JSON.parse(readFileSync('package.json', 'utf8')).version);
  });
});
