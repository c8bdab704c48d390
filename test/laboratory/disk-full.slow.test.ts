import { expect, test } from 'vitest';
import { testFileLimit } from '../../scripts/laboratory/resilience/disk-full/file-limit.ts';
import { testDiskFull } from '../../scripts/laboratory/resilience/disk-full/full-disk.ts';
import { openVolume } from '../../scripts/laboratory/resilience/disk-full/volume.ts';
import { hangBound } from '../support/hang-bound.ts';

// A blob store and a database that fail: test/files/uploads.test.ts and test/files/disk-full.test.ts.
test(
  'a full disk refuses changes with 503, keeps what was acknowledged, and works again when there is room',
  async ({ skip }) => {
    await using volume = await openVolume();
    if (!volume) return skip('needs root on Linux');
    const results = await testDiskFull(volume, { uploads: 5 });
    expect(results.flatMap(({ failures }) => failures)).toEqual([]);
  },
  hangBound(180_000),
);

test(
  'a file that the kernel does not store is refused with 503 and leaves nothing',
  async () => {
    const { failures } = await testFileLimit({ uploads: 2 });
    expect(failures).toEqual([]);
  },
  hangBound(120_000),
);
