/** The middle half of some figures. */
export interface Spread {
  lower: number;
  median: number;
  upper: number;
}

/** @param share from 0 to 1; between two values it is interpolated. NaN of no values. */
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
 * Compares what was measured side by side, round for round. A machine that changes its pace from one round to the next
 * changes it for both, so each round's ratio stands, where a ratio of two medians of absolute figures would not.
 */
export function pairedRatios(ours: readonly number[], theirs: readonly number[]): Spread {
  if (ours.length !== theirs.length) throw new Error('Each round has one figure of each.');
  return spreadOf(ours.map((one, round) => one / (theirs[round] as number)));
}

/** The contenders of a round, each round beginning with another. */
export function rotated<Item>(items: readonly Item[], round: number): Item[] {
  const first = items.length === 0 ? 0 : round % items.length;
  return [...items.slice(first), ...items.slice(0, first)];
}
