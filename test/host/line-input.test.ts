import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineInput } from '../../src/host/line-input.ts';

/** What comes out when the bytes come in cut like that. */
function through(bytesMax: number, chunks: readonly Buffer[]) {
  const dropped: number[] = [];
  const out: string[] = [];
  const input = new LineInput(bytesMax, (bytes) => dropped.push(bytes));
  input.on('data', (line: Buffer) => out.push(line.toString()));
  for (const chunk of chunks) input._transform(chunk, 'utf8', () => {});
  for (let line = input.read(); line !== null; line = input.read()) out.push(String(line));
  return { out: out.join(''), dropped };
}

describe('input by lines', () => {
  it('comes out as it went in, whatever the pieces it came in [R5]', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), fc.integer({ min: 1, max: 7 }), (lines, size) => {
        const text = lines.map((line) => `${line.replaceAll('\n', ' ')}\n`).join('');
        const bytes = Buffer.from(text);
        const chunks: Buffer[] = [];
        for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
        expect(through(1_000_000, chunks)).toEqual({ out: text, dropped: [] });
      }),
    );
  });

  it('loses the lines that are too long and no other [R5]', () => {
    const chunks = ['ok\n', 'far too ', 'long', ' indeed\nfine\n', 'no end'].map((text) => Buffer.from(text));
    expect(through(8, chunks)).toEqual({ out: 'ok\nfine\n', dropped: [20] });
  });
});
