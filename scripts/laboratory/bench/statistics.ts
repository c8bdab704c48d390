/** The median, and the lower and upper quartile. */
export interface Spread {
  lower: number;
  median: number;
  upper: number;
}

/** Interpolates between values. @param share from 0 to 1 @returns NaN if there are no values */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)] ?? Number.NaN;
  const above = sorted[Math.ceil(position)] ?? Number.NaN;
  return below + (above - below) * (position - Math.floor(position));
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export function spreadOf(values: readonly number[]): Spread {
  return { lower: quantile(values, 0.25), median: median(values), upper: quantile(values, 0.75) };
}

/**
 * The median with its 95 % confidence interval, which assumes nothing of how the values are distributed: between two of
 * the sorted values, outside of which the median is in at most 5 % of all samples.
 */
export function confidenceOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  // The chance that at most `rank` of the values are below the median: a sum of the binomial distribution.
  let rank = 0;
  let term = 0.5 ** values.length;
  for (let below = term; below <= 0.025; below += term) {
    rank += 1;
    term *= (values.length - rank + 1) / rank;
  }
  const outer = Math.max(rank - 1, 0);
  return {
    lower: sorted[outer] ?? Number.NaN,
    median: median(values),
    upper: sorted[sorted.length - 1 - outer] ?? Number.NaN,
  };
}

/**
 * The ratios of two series that were measured side by side, round by round. If the machine's speed changes between
 * rounds, it changes for both, so the ratio of each round stays valid; a ratio of two medians would not.
 */
export function pairedRatios(ours: readonly number[], theirs: readonly number[]): Spread {
  if (ours.length !== theirs.length) throw new Error('Both series must have one value for each round.');
  return spreadOf(ours.map((one, round) => one / (theirs[round] as number)));
}

/** The order of a round: each round begins with another baseline. */
export function rotated<Item>(items: readonly Item[], round: number): Item[] {
  const first = items.length === 0 ? 0 : round % items.length;
  return [...items.slice(first), ...items.slice(0, first)];
}
