/**
 * Sizes of answers. Bytes are those of the compact JSON that goes out. A page leaves room for what stands around it: a
 * page that is cut afterwards would lose items that its cursor has passed.
 */
export const answerBytes = { usual: 7_500, most: 38_000, page: 34_000, decision: 3_900 } as const;

export function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '');
}

/** The text, cut at that many characters with `…` in place of the rest. */
export function cut(text: string, chars: number): string {
  if (text.length <= chars) return text;
  const end = /[\ud800-\udbff]$/.test(text.slice(0, chars - 1)) ? chars - 2 : chars - 1;
  return `${text.slice(0, end)}…`;
}

/** The value with each of its texts cut and each of its lists kept to that many items; ids and codes are short anyway. */
export function cutAll<T>(value: T, chars: number, items = 100): T {
  if (typeof value === 'string') return cut(value, chars) as T;
  if (Array.isArray(value)) return value.slice(0, items).map((item) => cutAll(item, chars, items)) as T;
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, cutAll(field, chars, items)])) as T;
}

/** The value with its texts, and only then its lists, cut as little as it takes to stay within the bytes. */
export function fitted<T>(value: T, bytes: number): T {
  for (const [chars, items] of [
    [8_000, 100],
    [2_000, 100],
    [800, 100],
    [400, 100],
    [200, 100],
    [100, 100],
    [64, 100],
    [64, 20],
    [64, 10],
    [64, 5],
  ] as const) {
    const cutValue = cutAll(value, chars, items);
    if (bytesOf(cutValue) <= bytes) return cutValue;
  }
  return cutAll(value, 40, 2);
}

/** One page of a list: how many of how many, and where the next one begins. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly shown: number;
  readonly total: number;
  readonly nextCursor?: string;
}

/**
 * The items after the cursor that fit the bytes, at most `limit`. The cursor is the key of the last item shown, so that
 * each item is shown once however many are added meanwhile.
 */
export function paged<T, V>(
  all: readonly T[],
  keyOf: (item: T) => string,
  show: (item: T) => V,
  page: { readonly cursor?: string | undefined; readonly limit?: number | undefined; readonly bytes: number },
): Page<V> {
  const from = page.cursor === undefined ? 0 : all.findIndex((item) => keyOf(item) === page.cursor) + 1;
  const items: V[] = [];
  let room = page.bytes;
  let last: T | undefined;
  for (const item of all.slice(from, from + (page.limit ?? all.length))) {
    const shown = show(item);
    room -= bytesOf(shown) + 1;
    if (room < 0 && items.length > 0) break;
    items.push(shown);
    last = item;
  }
  const isMore = from + items.length < all.length && last !== undefined;
  return { items, shown: items.length, total: all.length, ...(isMore && { nextCursor: keyOf(last as T) }) };
}
