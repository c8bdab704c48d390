/** Uploads a file of the largest allowed size, and breaks off many uploads. */
import { withPlatform } from './platform.ts';
import { runResilienceTests } from './results.ts';
import { breakOffUploads } from './uploads/broken-off.ts';
import { transferLargeFile } from './uploads/large-file.ts';

await runResilienceTests({
  name: 'uploads',
  description: `Uploads a generated file of the largest size that MAX_UPLOAD_BYTES allows, downloads it, compares its SHA-256, and
measures the memory of the platform meanwhile. Then breaks off uploads at random points and checks that no file
and no row is left. Needs as much disk space as the file is large.`,
  options: {
    mebibytes: { description: 'size of the file', full: 5 * 1024, quick: 256 },
    aborted: { description: 'how many uploads are broken off', full: 1_000, quick: 100 },
  },
  test: ({ mebibytes, aborted }, running) =>
    withPlatform(
      { settings: { MAX_UPLOAD_BYTES: String(mebibytes * 2 ** 20) } },
      async (platform, dataDirectory) => [
        await transferLargeFile(platform, { mebibytes, ...running }),
        await breakOffUploads(platform, dataDirectory, { uploads: aborted, ...running }),
      ],
    ),
});
