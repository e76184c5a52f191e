/** One side of a comparison: what it is, and one measurement of it in the figure's unit. */
export interface Side {
  readonly name: string;
  readonly measure: () => Promise<number> | number;
}

export interface Figure {
  readonly name: string;
  readonly unit: string;
  readonly ours: Side;
  readonly beside: Side;
  /** How many times each side is measured, and how many times before that without counting. */
  readonly rounds: number;
  readonly warmUps?: number;
  /** What the ratio of the medians, ours to beside, should be; a rate should be at least so much, a time at most. */
  readonly aim: { readonly atMost: number } | { readonly atLeast: number };
}

export interface Spread {
  readonly median: number;
  /** A tenth of the measurements lie below the one and above the other. */
  readonly low: number;
  readonly high: number;
}

/** Measures both sides in turns, A B A B, so that what else the machine does meets both alike. */
export async function compare({ ours, beside, rounds, warmUps = 0 }: Figure): Promise<readonly [Spread, Spread]> {
  const sides: readonly [number[], number[]] = [[], []];
  for (let round = -warmUps; round < rounds; round++) {
    for (const [at, { measure }] of [ours, beside].entries()) {
      const value = await measure();
      if (round >= 0) sides[at]?.push(value);
    }
  }
  return [spreadOf(sides[0]), spreadOf(sides[1])];
}

function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))] ?? Number.NaN;
  return { median: at(0.5), low: at(0.1), high: at(0.9) };
}

/** Milliseconds that the work took. */
export async function timed(work: () => unknown): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** The figure and both its sides as lines of text. */
export function told({ name, unit, ours, beside, aim }: Figure, [left, right]: readonly [Spread, Spread]): string {
  const ratio = left.median / right.median;
  const [word, bound] = 'atMost' in aim ? ['at most', aim.atMost] : ['at least', aim.atLeast];
  const isMet = 'atMost' in aim ? ratio <= bound : ratio >= bound;
  const side = (label: string, { median, low, high }: Spread) =>
    `    ${label.padEnd(64)} ${digits(median)} ${unit}  (${digits(low)} to ${digits(high)})`;
  return [
    `${name}: ${ratio.toFixed(2)} (aim: ${word} ${bound}) ${isMet ? 'met' : 'missed'}`,
    side(ours.name, left),
    side(beside.name, right),
  ].join('\n');
}

function digits(value: number): string {
  return value.toPrecision(3).includes('e') ? value.toFixed(0) : value.toPrecision(3);
}
