import type { Spread } from './statistics.ts';

/** Formats a number with about three significant digits. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return '–';
  return value.toFixed(Math.abs(value) < 10 ? 2 : Math.abs(value) < 100 ? 1 : 0);
}

/** `1.04 (0.98–1.11)`: the median, and the quartiles. */
export function spread({ lower, median, upper }: Spread): string {
  return `${median.toFixed(2)} (${lower.toFixed(2)}–${upper.toFixed(2)})`;
}
