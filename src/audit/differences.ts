import { oneText } from './signature.ts';

/** One fact that a surface shows otherwise than the log's bytes have it. */
export interface Difference {
  readonly surface: string;
  readonly fact: string;
  readonly shown: unknown;
  readonly derived: unknown;
}

/** An answer is cut to fit by keeping texts to some characters with `…`, never fewer than these. */
const charsOfCutMin = 39;
/** Lists are cut to one of these lengths; to the short ones only with every list of the answer. */
const lengthsOfCut = [100, 20];
const lengthsOfShortCut = [10, 5];
/** Of what is told of a difference, as much as helps to find it. */
const charsTold = 200;

export class Differences {
  readonly list: Difference[] = [];

  /** Where the differences of one answer of a surface are told. */
  on(surface: string, answer?: unknown): Tell {
    return new Tell(surface, this.list, answer);
  }

  /** The first ones, as many as fit these bytes of JSON, and how many there are. */
  cut(bytes: number): { readonly differences: readonly Difference[]; readonly shown: number; readonly total: number } {
    const differences: Difference[] = [];
    let room = bytes;
    for (const difference of this.list) {
      const { surface, fact, shown, derived } = difference;
      const brief = { surface, fact: told(fact), shown: told(shown), derived: told(derived) } as Difference;
      room -= Buffer.byteLength(JSON.stringify(brief)) + 1;
      if (room < 0) break;
      differences.push(brief);
    }
    return { differences, shown: differences.length, total: this.list.length };
  }
}

export class Tell {
  readonly #surface: string;
  readonly #list: Difference[];
  readonly #answer: unknown;

  constructor(surface: string, list: Difference[], answer: unknown) {
    this.#surface = surface;
    this.#list = list;
    this.#answer = answer;
  }

  /** Compares whole values. */
  same(fact: string, shown: unknown, derived: unknown): void {
    if (oneText(shown) !== oneText(derived)) this.differ(fact, shown, derived);
  }

  /** Compares a text that may have been cut. */
  text(fact: string, shown: unknown, derived: string): void {
    if (!isCutOf(shown, derived)) this.differ(fact, shown, derived);
  }

  /** Compares a list that may have been cut; its items are whole. */
  list(fact: string, shown: unknown, derived: readonly unknown[]): void {
    const list = Array.isArray(shown) ? shown : [];
    const isWhole = list.length === derived.length || this.#isCutTo(list.length);
    const isSame = list.length <= derived.length && oneText(list) === oneText(derived.slice(0, list.length));
    if (!isWhole || !isSame) this.differ(fact, shown, derived);
  }

  #isCutTo(length: number): boolean {
    if (lengthsOfCut.includes(length)) return true;
    return lengthsOfShortCut.includes(length) && longestList(this.#answer) <= length;
  }

  differ(fact: string, shown: unknown, derived: unknown): void {
    this.#list.push({ surface: this.#surface, fact, shown: shown ?? null, derived: derived ?? null });
  }
}

export function isCutOf(shown: unknown, derived: string): boolean {
  if (shown === derived) return true;
  const isCut = typeof shown === 'string' && shown.endsWith('…') && shown.length >= charsOfCutMin;
  return isCut && derived.startsWith(shown.slice(0, -1));
}

function longestList(value: unknown): number {
  if (value === null || typeof value !== 'object') return 0;
  const own = Array.isArray(value) ? value.length : 0;
  return Math.max(own, ...Object.values(value).map(longestList));
}

function told(value: unknown): unknown {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length <= charsTold ? value : `${text.slice(0, charsTold)}…`;
}
