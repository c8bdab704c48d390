const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** The delay after each failed attempt: ten attempts, the last about 71 hours after the first. */
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
 * The delay until the next attempt, in milliseconds; undefined after the last. Varies by a tenth, so that
 * deliveries that failed together are not retried together.
 *
 * @param made number of attempts so far
 * @param random from 0 to 1
 */
export function pauseAfter(made: number, random = Math.random()): number | undefined {
  const gap = gaps[made - 1];
  return gap === undefined ? undefined : Math.round(gap * (0.9 + 0.2 * random));
}
