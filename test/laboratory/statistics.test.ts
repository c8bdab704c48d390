import { expect, test } from 'vitest';
import {
  confidenceOf,
  pairedRatios,
  quantile,
  rotated,
  spreadOf,
} from '../../scripts/laboratory/bench/statistics.ts';

test('quantiles lie between the values around them', () => {
  expect(quantile([4, 1, 3, 2], 0.5)).toBe(2.5);
  expect(quantile([10], 0.99)).toBe(10);
  expect(spreadOf([1, 2, 3, 4, 5])).toEqual({ lower: 2, median: 3, upper: 4 });
  expect(quantile([], 0.5)).toBeNaN();
});

test('paired ratios cancel a change of speed between rounds', () => {
  const pace = [1, 2.5, 0.7, 1.9];
  const ours = pace.map((factor) => 36 * factor);
  const theirs = pace.map((factor) => 40 * factor);
  const { lower, median, upper } = pairedRatios(ours, theirs);
  for (const ratio of [lower, median, upper]) expect(ratio).toBeCloseTo(0.9);
  expect(() => pairedRatios([1, 2], [1])).toThrow();
});

test('each round begins with another baseline', () => {
  expect([0, 1, 2, 3].map((round) => rotated(['a', 'b', 'c'], round).join(''))).toEqual([
    'abc',
    'bca',
    'cab',
    'abc',
  ]);
});

test.each([
  [6, [1, 6]],
  [8, [1, 8]],
  [9, [2, 8]],
  [12, [3, 10]],
  [20, [6, 15]],
])('the median of %i values is between two of them with 95 %% confidence', (count, [lower, upper]) => {
  const values = Array.from({ length: count }, (_, at) => at + 1).toReversed();
  expect(confidenceOf(values)).toEqual({ lower, median: (count + 1) / 2, upper });
});
