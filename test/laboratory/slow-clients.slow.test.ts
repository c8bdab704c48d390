import { expect, test } from 'vitest';
import { testSlowClients } from '../../scripts/laboratory/resilience/slow-clients/slow-clients.ts';
import { scaledTimeout } from '../support/timeout.ts';

// Each time limit alone: test/platform-rules/slow-clients.test.ts.
test(
  'slow clients are ended in time, others do not notice them, and their memory is freed',
  async () => {
    const results = await testSlowClients({ sockets: 60 });
    expect(results.flatMap(({ failures }) => failures)).toEqual([]);
  },
  scaledTimeout(240_000),
);
