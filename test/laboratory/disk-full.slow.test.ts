import { expect, test } from 'vitest';
import { testFileLimit } from '../../scripts/laboratory/resilience/disk-full/file-limit.ts';
import { testDiskFull } from '../../scripts/laboratory/resilience/disk-full/full-disk.ts';
import { openVolume } from '../../scripts/laboratory/resilience/disk-full/volume.ts';
import { scaledTimeout } from '../support/timeout.ts';

// A blob store and a database that fail: test/files/uploads.test.ts and test/files/disk-full.test.ts.
test(
  'a platform whose disk is full refuses changes with 503, keeps what it acknowledged, and works again when there is room',
  async ({ skip }) => {
    await using volume = await openVolume();
    if (!volume) return skip('needs root on Linux');
    const results = await testDiskFull(volume, { uploads: 5 });
    expect(results.flatMap(({ failures }) => failures)).toEqual([]);
  },
  scaledTimeout(180_000),
);

test(
  'a file that the kernel does not store is refused with 503 and leaves nothing',
  async () => {
    const { failures } = await testFileLimit({ uploads: 2 });
    expect(failures).toEqual([]);
  },
  scaledTimeout(120_000),
);
