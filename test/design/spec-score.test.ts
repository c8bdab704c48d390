import { expect, test } from 'vitest';
import { openRedocly } from '../../scripts/contract/redocly/redocly.ts';
import { bundleContract } from '../../scripts/contract/source.ts';
import { scoreOf } from '../../scripts/spec/score/losses.ts';
import { reportOn } from '../../scripts/spec/score/measure.ts';
import { criteria } from '../../scripts/spec/score/report.ts';

const root = new URL('../../', import.meta.url);

test('the lost points add up to the score of each operation, by the weights that Redocly does not report', async () => {
  using redocly = openRedocly(root);
  const report = await reportOn(await bundleContract(redocly), redocly);
  for (const [operationId, metrics] of Object.entries(report.rawMetrics.operations)) {
    const { structuredErrorResponseCount, totalErrorResponses } = metrics;
    expect(structuredErrorResponseCount, operationId).toBe(totalErrorResponses);
  }
  const { operations, losses } = scoreOf(report);
  const weights = Object.values(criteria).map(({ weight }) => weight);
  expect(weights.reduce((sum, weight) => sum + weight)).toBe(100);
  for (const { operationId, score } of operations) {
    const lost = losses.flatMap((loss) => loss.operations.filter((one) => one.operationId === operationId));
    const left = 100 - lost.reduce((sum, { points }) => sum + points, 0);
    expect(Math.abs(left - score), `${operationId}: ${left} for ${score}`).toBeLessThan(0.5);
  }
  for (const { operations: losing, advice } of losses) {
    expect(advice).not.toBe('');
    for (const { because } of losing) expect(because).not.toBe('');
  }
});
