import assert from 'node:assert';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Tool } from '../../src/tools/define-tool.ts';
import { exampleOf, type FieldPath, schemaAt } from '../../src/tools/example-arguments.ts';
import { parseInput, unknownArguments } from '../../src/tools/parse-input.ts';
import { toolNamed, tools } from '../../src/tools/registry.ts';
import { fullSchema, type JsonSchema } from '../../src/tools/wire-schema.ts';

function read(name: string, raw: unknown) {
  const result = parseInput(toolNamed(name) as Tool, raw);
  assert(result.ok, JSON.stringify(result));
  return result.args;
}

function refusal(name: string, raw: unknown) {
  const result = parseInput(toolNamed(name) as Tool, raw);
  assert(!result.ok, JSON.stringify(result));
  return result.refusal;
}

function* pathsOf(schema: JsonSchema, path: FieldPath = []): Generator<FieldPath> {
  yield path;
  for (const [name, part] of Object.entries(schema.properties ?? {})) yield* pathsOf(part, [...path, name]);
  if (schema.items) yield* pathsOf(schema.items, [...path, 0]);
}

describe('tolerant intake', () => {
  it('takes null and "null" for an absent optional argument [R24]', () => {
    expect(read('todo_claim', { todo: null, goal: 'null', ttlS: null, challenge: ' null ' })).toEqual({});
    expect(read('todo_add', { todos: [{ title: 'null', detail: 'null', scope: null }] })).toEqual({
      todos: [{ title: 'null' }],
    });
  });

  it('takes no arguments at all where none is required [R24]', () => {
    expect(read('quota_should_run', undefined)).toEqual({});
    expect(read('quota_should_run', null)).toEqual({});
  });

  it('reads numbers, booleans, lists and objects given as text [R24]', () => {
    expect(read('todo_claim', { todo: 'T1', ttlS: '60', challenge: 'True' })).toEqual({
      todo: 'T1',
      ttlS: 60,
      challenge: true,
    });
    expect(read('todo_add', { todos: '[{"title":"a","scope":"{\\"paths\\":[\\"src/**\\"]}"}]' })).toEqual({
      todos: [{ title: 'a', scope: { paths: ['src/**'] } }],
    });
    expect(read('evidence_write', { kind: 'metric', summary: 's', result: 'pass', metrics: '{"p95Ms": 5}' })).toEqual({
      kind: 'metric',
      summary: 's',
      result: 'pass',
      metrics: { p95Ms: 5 },
    });
  });

  it('takes a lone text for a list of texts, also one that only looks like a list [R24]', () => {
    expect(read('goal_start', { objective: 'x', acceptance: 'it works' })).toMatchObject({ acceptance: ['it works'] });
    expect(read('goal_start', { objective: 'x', acceptance: '[ok] it works' })).toMatchObject({
      acceptance: ['[ok] it works'],
    });
  });

  it('writes ids, slugs and choices one way whoever typed them [R24] [R29]', () => {
    expect(read('todo_update', { todo: ' t12 ', state: 'DONE', priority: 'p1', after: ['t1', 'importer'] })).toEqual({
      todo: 'T12',
      state: 'done',
      priority: 'P1',
      after: ['T1', 'importer'],
    });
    expect(read('quota_should_run', { goal: ' CSV-Import ' })).toEqual({ goal: 'csv-import' });
  });

  it('ignores arguments it does not know, which one host adds by itself [R24]', () => {
    const raw = { todo: 'T1', wait_for_previous: true };
    expect(read('todo_claim', raw)).toEqual({ todo: 'T1' });
    expect(unknownArguments(toolNamed('todo_claim') as Tool, raw)).toEqual(['wait_for_previous']);
  });

  it('never turns a value into another kind of data [R24]', () => {
    expect(refusal('todo_add', { todos: [{ title: 5 }] }).details).toMatchObject({ field: 'todos[0].title', got: '5' });
    expect(refusal('todo_claim', { todo: 3 }).details).toMatchObject({ field: 'todo' });
    expect(refusal('todo_claim', { ttlS: '0x10' }).details).toMatchObject({ field: 'ttlS' });
    expect(refusal('todo_claim', { ttlS: '' }).details).toMatchObject({ field: 'ttlS' });
    expect(refusal('todo_claim', { ttlS: true }).details).toMatchObject({ field: 'ttlS' });
    expect(refusal('todo_claim', { challenge: 1 }).details).toMatchObject({ field: 'challenge' });
    expect(refusal('todo_claim', { challenge: 'yes' }).details).toMatchObject({ field: 'challenge' });
    expect(refusal('todo_add', { todos: { title: 'x' } }).details).toMatchObject({ field: 'todos' });
    expect(refusal('goal_start', { objective: ['x'] }).details).toMatchObject({ field: 'objective' });
    expect(refusal('todo_add', { todos: [{ title: 'x', priority: 'urgent' }] }).details).toMatchObject({
      field: 'todos[0].priority',
    });
  });
});

describe('refusals of arguments', () => {
  it('name the field, what came and what is right, in one sentence [R26]', () => {
    const { code, message, next } = refusal('todo_add', { todos: [{ title: 'x', priority: 'urgent' }] });
    expect(code).toBe('bad-argument');
    expect(message).toBe(
      '`todos[0].priority` must be one of P0, P1, P2, P3, not "urgent"; for example {"todos":[{"title":"Write the importer","priority":"P0"}]}.',
    );
    expect(next).toMatchObject([{ tool: 'todo_add', arguments: { todos: [{ priority: 'P0' }] } }]);
  });

  it('say that a required argument is missing, also when it came as null [R26]', () => {
    expect(refusal('goal_start', {}).message).toMatch(/^`objective` is required/);
    expect(refusal('goal_start', { objective: null }).message).toMatch(/^`objective` is required/);
  });

  it('give over-long text and lists the code too-large, and over-large numbers bad-argument [R15]', () => {
    expect(refusal('gate_ask', { question: 'x'.repeat(601) })).toMatchObject({
      code: 'too-large',
      details: { field: 'question' },
    });
    expect(refusal('todo_add', { todos: [{ title: 'x'.repeat(301) }] }).code).toBe('too-large');
    expect(refusal('writeback', { outcome: 'quiet', summary: 'x'.repeat(8_001) }).code).toBe('too-large');
    expect(refusal('goal_start', { objective: 'x', acceptance: Array(101).fill('a') }).code).toBe('too-large');
    expect(refusal('todo_add', { todos: Array(51).fill({ title: 'x' }) }).code).toBe('too-large');
    expect(refusal('todo_claim', { ttlS: 86_401 }).code).toBe('bad-argument');
  });

  it('never repeat a long argument back [R15]', () => {
    const { message } = refusal('todo_add', { todos: 'x'.repeat(100_000) });
    expect(message.length).toBeLessThan(400);
  });

  it('show for every field of every tool an example that is accepted and holds that field [R26]', () => {
    let shown = 0;
    for (const tool of tools) {
      const schema = fullSchema(tool);
      for (const path of pathsOf(schema)) {
        const example = exampleOf(schema, path);
        expect(parseInput(tool, example), `${tool.name} ${path.join('.')}`).toMatchObject({ ok: true });
        let here = example as never;
        for (const step of path) here = here[step];
        expect(here, `${tool.name} ${path.join('.')}`).toBeDefined();
        expect(schemaAt(schema, path)).toBeDefined();
        shown++;
      }
    }
    expect(shown).toBeGreaterThan(300);
  });

  it('answer any JSON at all with arguments or a refusal whose example is accepted, never an exception [R24] [R26]', () => {
    fc.assert(
      fc.property(fc.constantFrom(...tools), fc.jsonValue({ maxDepth: 4 }), (tool, junk) => {
        const names = Object.keys(tool.input.shape);
        const raw = Object.fromEntries(names.map((name, at) => [name, at % 2 === 0 ? junk : [junk]]));
        const result = parseInput(tool, raw);
        if (result.ok) return;
        expect(['bad-argument', 'too-large']).toContain(result.refusal.code);
        expect(parseInput(tool, result.refusal.details.example)).toMatchObject({ ok: true });
      }),
      { numRuns: 300 },
    );
  });
});
