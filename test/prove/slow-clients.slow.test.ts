import { expect, test } from 'vitest';
import { proveSlowClients } from '../../scripts/laboratory/resilience/slow-clients/slow-clients.ts';
import { hangBound } from '../support/hang-bound.ts';

// Each time limit alone: test/platform-rules/slow-clients.test.ts.
test(
  'slow clients are ended in time, others do not notice them, and their memory is freed',
  async () => {
    const proofs = await proveSlowClients({ sockets: 60 });
    expect(proofs.flatMap(({ failures }) => failures)).toEqual([]);
  },
  hangBound(240_000),
);
