import { describe, expect, it } from 'vitest';
import { type RefusalCode, refusalSorts } from '../../src/state/kernel/refusal.ts';
import { toolResult } from '../../src/tools/tool-result.ts';

describe('an answer as MCP carries it', () => {
  it('is the same JSON as text and as structured content [R17]', () => {
    const result = toolResult({ ok: true, version: 3, goal: { goal: 'g', title: 'é "x"\n' }, left: undefined });
    const [block, ...more] = result.content as { type: string; text: string }[];
    expect(more).toEqual([]);
    expect(JSON.parse(block?.text ?? '')).toEqual(result.structuredContent);
    expect(result.structuredContent).toEqual({ ok: true, version: 3, goal: { goal: 'g', title: 'é "x"\n' } });
    expect(result.isError).toBe(false);
  });

  it('is an MCP error only where the call went wrong, not where the control plane did its job [R26]', () => {
    for (const [code, sort] of Object.entries(refusalSorts)) {
      const refused = {
        ok: false,
        version: 1,
        code: code as RefusalCode,
        message: 'm',
        details: {},
        next: [],
      } as const;
      expect(toolResult(refused).isError, code).toBe(sort === 'error');
    }
  });

  it('is never over 40 KB [R15]', () => {
    expect(() => toolResult({ ok: true, version: 1, text: 'é'.repeat(21_000) })).toThrow(/bytes/);
  });
});
