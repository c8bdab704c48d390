const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** How long after each failed attempt the next one is made: ten attempts, the last some 71 hours after the first. */
const gaps = [
  1 * second,
  3 * second,
  8 * second,
  20 * second,
  1 * minute,
  10 * minute,
  3 * hour,
  20 * hour,
  48 * hour,
];

/**
 * Milliseconds from a failed attempt to the next; undefined after the last. A tenth more or less, so that what failed
 * together does not come back together.
 *
 * @param made how many attempts there have been
 * @param random from 0 to 1
 */
export function pauseAfter(made: number, random = Math.random()): number | undefined {
  const gap = gaps[made - 1];
  return gap === undefined ? undefined : Math.round(gap * (0.9 + 0.2 * random));
}
