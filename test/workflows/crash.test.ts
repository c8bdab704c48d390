import { expect, test } from 'vitest';
import { crashCycles } from '../../scripts/crash/cycles.ts';

test('five crashes under load lose no start, leave nothing stuck, and give no result twice or differently', async () => {
  const report = await crashCycles({ cycles: 5 });
  expect(report.problems).toEqual([]);
  expect(report.acknowledged).toBeGreaterThan(0);
  expect(report.recoverySeconds).toBeLessThan(60);
}, 400_000);
