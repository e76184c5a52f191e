/**
 * Scopes: path globs relative to the workspace (`src/**`, `docs/*.md`, `src/{a,b}/?.ts`) and named resources.
 * Whether two scopes overlap is decided on the globs: is there a path that both match? Where a pattern is too wild to
 * tell, the answer is yes, since a false yes delays work and a false no lets two agents collide.
 */
import type { Scope } from './model.ts';

/** The glob in its one spelling, or a sentence that says what is wrong with it. */
export function normalizeGlob(text: string): { readonly glob: string } | { readonly problem: string } {
  const slashed = text.trim().replaceAll('\\', '/');
  if (slashed === '') return { problem: 'is empty' };
  if (slashed.startsWith('/') || /^[a-z]:/i.test(slashed))
    return { problem: 'is absolute; give a path relative to the workspace' };
  if (slashed.startsWith('!')) return { problem: 'is a negation; name what is in scope' };
  const segments = slashed.split('/').filter((segment) => segment !== '' && segment !== '.');
  if (segments.includes('..')) return { problem: 'leaves the workspace' };
  return { glob: segments.length === 0 ? '**' : segments.join('/') };
}

export function normalizeResource(text: string): string {
  return text.trim().toLowerCase();
}

export function hasScope(scope: Scope): boolean {
  return scope.paths.length > 0 || scope.resources.length > 0;
}

export function scopesOverlap(a: Scope, b: Scope): boolean {
  return (
    a.resources.some((resource) => b.resources.includes(resource)) ||
    a.paths.some((left) => b.paths.some((right) => globsOverlap(left, right)))
  );
}

/** Whether some path is matched by both globs; a glob that ends in a plain name stands for that folder's contents too. */
export function globsOverlap(a: string, b: string): boolean {
  if (a === b) return true;
  const left = alternatives(a);
  const right = alternatives(b);
  if (left === undefined || right === undefined) return true;
  return left.some((x) => right.some((y) => segmentsOverlap(segmentsOf(x), segmentsOf(y))));
}

const wild = /[*?[\]{}]/;

function segmentsOf(glob: string): readonly string[] {
  const segments = glob.split('/');
  return wild.test(segments[segments.length - 1] ?? '') ? segments : [...segments, '**'];
}

/** Patterns of other dialects: extended globs, alternatives in parentheses, classes by name. */
const foreign = /[@!+?*]\(|\(.*\||\[\[/;

/** The glob with its braces written out, or undefined when that would be more than a few dozen or is no plain list. */
function alternatives(glob: string): readonly string[] | undefined {
  if (foreign.test(glob)) return undefined;
  let open = [glob];
  for (;;) {
    const next: string[] = [];
    let isPlain = true;
    for (const one of open) {
      const brace = /^(.*?)\{([^{}]*)\}(.*)$/s.exec(one);
      if (!brace) {
        next.push(one);
        continue;
      }
      isPlain = false;
      const choices = (brace[2] ?? '').split(',');
      if (choices.length === 1) return undefined;
      for (const choice of choices) next.push(`${brace[1]}${choice}${brace[3]}`);
    }
    if (next.length > 64) return undefined;
    if (isPlain) return next;
    open = next;
  }
}

function segmentsOverlap(a: readonly string[], b: readonly string[]): boolean {
  return overlap(a.length, b.length, (i, j, again) => {
    if (a[i] === '**') return again(i + 1, j) || (j < b.length && again(i, j + 1));
    if (b[j] === '**') return again(i, j + 1) || (i < a.length && again(i + 1, j));
    if (i === a.length || j === b.length) return i === a.length && j === b.length;
    return namesOverlap(a[i] as string, b[j] as string) && again(i + 1, j + 1);
  });
}

/** One place of a name: `*`, any one character, or that character. */
type Token = { readonly is: 'many' } | { readonly is: 'one' } | { readonly is: 'char'; readonly char: string };

function namesOverlap(a: string, b: string): boolean {
  const left = tokensOf(a);
  const right = tokensOf(b);
  return overlap(left.length, right.length, (i, j, again) => {
    const x = left[i];
    const y = right[j];
    if (x?.is === 'many') return again(i + 1, j) || (j < right.length && again(i, j + 1));
    if (y?.is === 'many') return again(i, j + 1) || (i < left.length && again(i + 1, j));
    if (x === undefined || y === undefined) return x === y;
    return (x.is === 'one' || y.is === 'one' || x.char === y.char) && again(i + 1, j + 1);
  });
}

function tokensOf(name: string): readonly Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < name.length; at++) {
    const char = name[at] as string;
    const classEnd = char === '[' ? name.indexOf(']', at + 2) : -1;
    if (char === '*') tokens.push({ is: 'many' });
    else if (char === '?') tokens.push({ is: 'one' });
    else if (classEnd > 0) {
      // A class counts as any character: too much, never too little.
      tokens.push({ is: 'one' });
      at = classEnd;
    } else tokens.push({ is: 'char', char });
  }
  return tokens;
}

/** Walks two sequences side by side, each pair of places at most once. */
function overlap(
  m: number,
  n: number,
  step: (i: number, j: number, again: (i: number, j: number) => boolean) => boolean,
): boolean {
  const seen = new Map<number, boolean>();
  const visit = (i: number, j: number): boolean => {
    if (i > m || j > n) return false;
    const place = i * (n + 1) + j;
    const known = seen.get(place);
    if (known !== undefined) return known;
    seen.set(place, false);
    const found = step(i, j, visit);
    seen.set(place, found);
    return found;
  };
  return visit(0, 0);
}
