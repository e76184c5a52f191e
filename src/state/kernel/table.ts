/**
 * A persistent map: `with` answers a new table that shares all but one path with the old one, so that every state of
 * the control plane stays whole for whoever holds it. A trie of 32-way nodes over a 30-bit number: ids such as "T12"
 * use their own number, so that a walk goes in the order of the ids; other keys use a hash of the text.
 */
type Entry<V> = readonly [key: string, value: V];
type Node<V> = readonly (Node<V> | readonly Entry<V>[] | undefined)[];

const levelBits = 5;
const topShift = 25;
const width = 1 << levelBits;
const hashMask = (1 << 30) - 1;

export class Table<V> {
  readonly size: number;
  readonly #root: Node<V>;
  readonly #place: (key: string) => number;

  private constructor(root: Node<V>, size: number, place: (key: string) => number) {
    this.#root = root;
    this.size = size;
    this.#place = place;
  }

  /** A table whose keys are a letter and a number ("T12"); it is walked in the order of the numbers. */
  static numbered<V>(): Table<V> {
    return new Table<V>([], 0, numberOf);
  }

  /** A table of free keys; it is walked in an order of its own, the same for the same keys. */
  static named<V>(): Table<V> {
    return new Table<V>([], 0, hashOf);
  }

  /** A table of the same kind that holds these entries, made at once; the way back from `toJSON`. */
  filled<W>(entries: readonly Entry<W>[]): Table<W> {
    const root: unknown[] = [];
    for (const entry of entries) {
      const at = this.#place(entry[0]);
      let node = root;
      for (let shift = topShift; shift >= 0; shift -= levelBits) {
        const slot = (at >>> shift) & (width - 1);
        while (node.length <= slot) node.push(undefined);
        node[slot] ??= [];
        node = node[slot] as unknown[];
      }
      node.push(entry);
    }
    return new Table(root as Node<W>, entries.length, this.#place);
  }

  toJSON(): readonly Entry<V>[] {
    return [...this.entries()];
  }

  get(key: string): V | undefined {
    const at = this.#place(key);
    let node: Node<V> | undefined = this.#root;
    for (let shift = topShift; shift > 0 && node; shift -= levelBits) {
      node = node[(at >>> shift) & (width - 1)] as Node<V> | undefined;
    }
    const leaf = node?.[at & (width - 1)] as readonly Entry<V>[] | undefined;
    if (leaf === undefined) return undefined;
    for (const entry of leaf) if (entry[0] === key) return entry[1];
    return undefined;
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  with(key: string, value: V): Table<V> {
    const isNew = !this.has(key);
    const root = replaced(this.#root, this.#place(key), topShift, (leaf) =>
      leaf.length === 0 ? [[key, value]] : [...leaf.filter((entry) => entry[0] !== key), [key, value]],
    );
    return new Table(root, this.size + (isNew ? 1 : 0), this.#place);
  }

  without(key: string): Table<V> {
    if (!this.has(key)) return this;
    const root = replaced(this.#root, this.#place(key), topShift, (leaf) => leaf.filter((entry) => entry[0] !== key));
    return new Table(root, this.size - 1, this.#place);
  }

  *keys(): Generator<string> {
    for (const [key] of this.entries()) yield key;
  }

  *values(): Generator<V> {
    for (const [, value] of this.entries()) yield value;
  }

  entries(): Generator<Entry<V>> {
    return walk(this.#root, topShift);
  }

  /** The keys from the last to the first, for whoever looks at the newest of many and then stops. */
  *keysBackwards(): Generator<string> {
    for (const [key] of walkBackwards(this.#root, topShift)) yield key;
  }
}

/** The node with one leaf replaced; nodes that become empty are dropped, so that a walk never visits them. */
function replaced<V>(
  node: Node<V>,
  at: number,
  shift: number,
  change: (leaf: readonly Entry<V>[]) => readonly Entry<V>[],
): Node<V> {
  const slot = (at >>> shift) & (width - 1);
  const child = node[slot];
  const next =
    shift === 0
      ? change((child ?? []) as readonly Entry<V>[])
      : replaced((child ?? []) as Node<V>, at, shift - levelBits, change);
  const copy = node.slice();
  while (copy.length <= slot) copy.push(undefined);
  copy[slot] = next.length === 0 ? undefined : next;
  while (copy.length > 0 && copy[copy.length - 1] === undefined) copy.pop();
  return copy;
}

function* walk<V>(node: Node<V>, shift: number): Generator<Entry<V>> {
  for (const child of node) {
    if (child === undefined) continue;
    if (shift === 0) yield* child as readonly Entry<V>[];
    else yield* walk(child as Node<V>, shift - levelBits);
  }
}

function* walkBackwards<V>(node: Node<V>, shift: number): Generator<Entry<V>> {
  for (let slot = node.length - 1; slot >= 0; slot--) {
    const child = node[slot];
    if (child === undefined) continue;
    if (shift === 0) yield* [...(child as readonly Entry<V>[])].reverse();
    else yield* walkBackwards(child as Node<V>, shift - levelBits);
  }
}

/** The number of an id such as T12. */
export function idNumber(id: string): number {
  return Number(id.slice(1));
}

/** As idNumber for what is an id, without making a text of its own: every look into a table comes by here. */
function numberOf(key: string): number {
  let number = 0;
  for (let at = 1; at < key.length; at++) number = number * 10 + (key.charCodeAt(at) - 48);
  return number & hashMask;
}

function hashOf(key: string): number {
  let hash = 2166136261;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 16777619);
  return (hash ^ (hash >>> 15)) & hashMask;
}
