/** Fills the disk of the platform and checks that it refuses changes in order, stays up, and works again. */

import { proveFileLimit } from './disk-full/file-limit.ts';
import { proveDiskFull } from './disk-full/full-disk.ts';
import { openVolume } from './disk-full/volume.ts';
import { runProofs } from './proof.ts';

await runProofs({
  name: 'disk-full',
  description: `Runs the platform on a small file system, fills it, and uploads files and starts executions. Every change must be
stored or refused with 503; nothing half-written stays; the platform works again when there is room, also after
PostgreSQL had no room for its log. This needs root on Linux, to mount a tmpfs of 256 MiB. Without it, the kernel limits
the size of files, and only uploads are tried.`,
  options: { uploads: { description: 'uploads while the disk is full', full: 200, quick: 20 } },
  async prove({ uploads }, running) {
    await using volume = await openVolume();
    if (!volume) return [await proveFileLimit({ uploads, ...running })];
    return await proveDiskFull(volume, { uploads, ...running });
  },
});
