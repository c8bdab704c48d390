import { expect, test } from 'vitest';
import { crashCycles } from '../../scripts/laboratory/resilience/crash/cycles.ts';
import { retryCycles } from '../../scripts/laboratory/resilience/crash/retries.ts';
import { scaledTimeout } from '../support/timeout.ts';

const cycles = 20;

test(
  `${cycles} crashes under load lose no start, leave nothing stuck, and produce no result twice or differently`,
  async () => {
    const longestRecovery = scaledTimeout(60_000);
    const report = await crashCycles({ cycles, longestRecovery });
    expect(report.problems).toEqual([]);
    expect(report.acknowledged).toBeGreaterThan(0);
    expect(report.recoverySeconds).toBeLessThan(longestRecovery / 1000);
  },
  scaledTimeout(100_000 + cycles * 60_000),
);

const retries = 8;

test(
  `${retries} crashes of a bulk retry, or of the platform meanwhile, leave each execution retried once`,
  async () => {
    const report = await retryCycles({ cycles: retries });
    expect(report.problems).toEqual([]);
    expect(report.interrupted).toBeGreaterThan(0);
    expect(report.retried).toBeGreaterThan(0);
    expect(report.retried).toBeLessThan(report.executions);
  },
  scaledTimeout(100_000 + retries * 60_000),
);
