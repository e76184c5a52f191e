import type { Found } from './secret-rules.ts';

/** What secretlint's recommended preset does not know, or only in its full length: agents quote keys cut short too. */
const tokens: readonly { readonly kind: string; readonly pattern: RegExp }[] = [
  { kind: 'anthropic', pattern: /(?<![A-Za-z0-9])sk-ant-[a-z0-9]{2,12}-[A-Za-z0-9_-]{20}/ },
  // A digit is asked for, since a hyphenated phrase may begin with `sk-` too.
  { kind: 'openai', pattern: /(?<![A-Za-z0-9])sk-(?:proj|svcacct|admin)-(?=[A-Za-z_-]{0,40}\d)[A-Za-z0-9_-]{32}/ },
  { kind: 'openai', pattern: /(?<![A-Za-z0-9])sk-(?=[A-Za-z]{0,40}\d)[A-Za-z0-9]{32}/ },
  { kind: 'gitlab', pattern: /(?<![A-Za-z0-9])glpat-[A-Za-z0-9_-]{20}/ },
  { kind: 'stripe', pattern: /(?<![A-Za-z0-9])[sr]k_live_[A-Za-z0-9]{16}/ },
  { kind: 'google', pattern: /(?<![A-Za-z0-9])AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/ },
];

export function scanByOwnRules(text: string): readonly Found[] {
  const found: Found[] = [];
  for (const { kind, pattern } of tokens) {
    const from = text.search(pattern);
    if (from >= 0) found.push({ kind, from });
  }
  const from = findPrivateKey(text);
  if (from !== undefined) found.push({ kind: 'privatekey', from });
  return found;
}

/**
 * Where a private key begins, whatever its length: at a header that its footer follows, or one followed by a line of
 * key material. A header that is only talked about is neither. Time grows with the text, not with its square.
 */
function findPrivateKey(text: string): number | undefined {
  const header = /-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----/g;
  const footer = /-----END (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----/g;
  const first = header.exec(text);
  if (first === null) return undefined;
  footer.lastIndex = header.lastIndex;
  if (footer.test(text)) return first.index;
  // In JSON and in shell commands the line break is written as two characters.
  const material = /(?:\s|\\[nr]){0,8}[A-Za-z0-9+/]{32}/y;
  for (let at: RegExpExecArray | null = first; at !== null; at = header.exec(text)) {
    material.lastIndex = header.lastIndex;
    if (material.test(text)) return at.index;
  }
  return undefined;
}
