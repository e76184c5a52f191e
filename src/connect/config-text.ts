/** How a person's file is written, apart from what it says. */
export interface TextStyle {
  readonly bom: '' | '\ufeff';
  readonly eol: '\n' | '\r\n';
  /** One step of indentation. */
  readonly indent: string;
}

/** The file's own style; two spaces and a line feed where it shows none. */
export function styleOf(text: string): TextStyle {
  const [, indent = '  '] = /^([ \t]+)\S/m.exec(text) ?? [];
  return {
    bom: text.startsWith('\ufeff') ? '\ufeff' : '',
    eol: /\r?\n/.exec(text)?.[0] === '\r\n' ? '\r\n' : '\n',
    indent: indent.startsWith('\t') ? '\t' : indent,
  };
}

/** Line and column of an offset, both from 1. */
export function placeOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}

/** The white space that the line of this offset begins with. */
export function indentAt(text: string, offset: number): string {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(lineStart, offset))?.[0] ?? '';
}
