import { expect, test } from 'vitest';
import { withPlatform } from '../../scripts/laboratory/resilience/platform.ts';
import { breakOffUploads } from '../../scripts/laboratory/resilience/uploads/broken-off.ts';
import { transferLargeFile } from '../../scripts/laboratory/resilience/uploads/large-file.ts';
import { scaledTimeout } from '../support/timeout.ts';

test(
  'a large file takes little memory and arrives byte for byte; broken uploads leave no file and no row',
  () =>
    withPlatform({}, async (platform, dataDirectory) => {
      const { failures } = await transferLargeFile(platform, { mebibytes: 64 });
      expect(failures).toEqual([]);
      const broken = await breakOffUploads(platform, dataDirectory, { uploads: 40 });
      expect(broken.failures).toEqual([]);
    }),
  scaledTimeout(120_000),
);
