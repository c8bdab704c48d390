/** Fills the disk of the platform and checks that it refuses changes in order, stays up, and works again. */

import { testFileLimit } from './disk-full/file-limit.ts';
import { testDiskFull } from './disk-full/full-disk.ts';
import { openVolume } from './disk-full/volume.ts';
import { runResilienceTests } from './results.ts';

await runResilienceTests({
  name: 'disk-full',
  description: `Runs the platform on a small file system, fills it, and uploads files and starts executions. Every change must be
stored or refused with 503; nothing half-written stays; the platform works again when there is room, also after
PostgreSQL had no room for its log. This needs root on Linux, to mount a tmpfs of 256 MiB. Without it, the kernel limits
the size of files, and only uploads are tried.`,
  options: { uploads: { description: 'uploads while the disk is full', full: 200, quick: 20 } },
  async test({ uploads }, running) {
    await using volume = await openVolume();
    if (!volume) return [await testFileLimit({ uploads, ...running })];
    return await testDiskFull(volume, { uploads, ...running });
  },
});
