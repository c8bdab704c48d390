import { expect, test } from 'vitest';
import { openRedocly } from '../../scripts/contract/redocly/redocly.ts';
import { bundleContract } from '../../scripts/contract/source.ts';
import { redoclyScore, scoreOf } from '../../scripts/spec/score/score.ts';

const root = new URL('../../', import.meta.url);

test('the score counts every error response as structured, and lists the lowest operation first', async () => {
  using redocly = openRedocly(root);
  const contract = await bundleContract(redocly);
  const { rawMetrics } = JSON.parse(await redoclyScore(contract, redocly, ['--format', 'json']));
  for (const [operationId, metrics] of Object.entries<Metrics>(rawMetrics.operations)) {
    const { structuredErrorResponseCount, totalErrorResponses } = metrics;
    expect(structuredErrorResponseCount, operationId).toBe(totalErrorResponses);
  }
  const { score, operations } = await scoreOf(contract, redocly);
  expect(score).toBeGreaterThan(0);
  expect(operations.map(({ operationId }) => operationId).sort()).toEqual(
    Object.keys(rawMetrics.operations).sort(),
  );
  const points = operations.map((operation) => operation.score);
  expect(points).toEqual(points.toSorted((left, right) => left - right));
});

type Metrics = { structuredErrorResponseCount: number; totalErrorResponses: number };
