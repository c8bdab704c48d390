import { expect, test } from 'vitest';
import { drainCycles } from '../../scripts/laboratory/resilience/drain/cycles.ts';
import { hangBound } from '../support/hang-bound.ts';

// How one listener drains: test/platform-rules/draining.test.ts.
test(
  'SIGTERM under load fails no accepted request, loses no upload and no execution, and exits with 0',
  async () => {
    const { failures } = await drainCycles({ cycles: 3 });
    expect(failures).toEqual([]);
  },
  hangBound(180_000),
);
