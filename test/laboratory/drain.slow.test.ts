import { expect, test } from 'vitest';
import { drainCycles } from '../../scripts/laboratory/resilience/drain/cycles.ts';
import { scaledTimeout } from '../support/timeout.ts';

// How one listener drains: test/platform-rules/draining.test.ts.
test(
  'SIGTERM under load fails no accepted request, loses no upload and no execution, and exits with 0',
  async () => {
    const { failures } = await drainCycles({ cycles: 3 });
    expect(failures).toEqual([]);
  },
  scaledTimeout(180_000),
);
