import { afterAll, describe, expect, test } from 'vitest';
import { openRedocly } from '../../scripts/contract/redocly/redocly.ts';
import { breaksBetween } from '../../scripts/spec/breaking/breaks.ts';
import { changedBy, contract, others } from './breaking-cases.ts';

/** Shared by the tests: starting it costs more than a comparison. */
const redocly = openRedocly(new URL('../../', import.meta.url));
afterAll(() => redocly.close());

describe('a change that breaks clients is reported', () => {
  test.each(others)('%s', async (_, change) => {
    expect(await breaksBetween(contract, changedBy(change), redocly)).not.toEqual([]);
  });
});
