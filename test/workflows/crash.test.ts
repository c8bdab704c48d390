import { expect, test } from 'vitest';
import { crashCycles } from '../../scripts/crash/cycles.ts';
import { hangBound } from '../support/hang-bound.ts';

test(
  'five crashes under load lose no start, leave nothing stuck, and give no result twice or differently',
  async () => {
    const longestRecovery = hangBound(60_000);
    const report = await crashCycles({ cycles: 5, longestRecovery });
    expect(report.problems).toEqual([]);
    expect(report.acknowledged).toBeGreaterThan(0);
    expect(report.recoverySeconds).toBeLessThan(longestRecovery / 1000);
  },
  hangBound(400_000),
);
