import { withPlatform } from '../platform.ts';
import type { TestResult } from '../results.ts';
import { differencesOf, readStored } from '../stored.ts';
import { clientOf, problemOf } from './changes.ts';

/** More than PostgreSQL's largest file, a log segment of 16 MiB. */
const limitKibibytes = 32 * 1024;

/** Uploads files that the kernel refuses to store: what can be tried without a file system of its own. */
export async function testFileLimit({
  uploads,
  signal,
}: {
  uploads: number;
  signal?: AbortSignal;
}): Promise<TestResult> {
  // bash, because it counts in KiB; other shells count blocks of 512 bytes.
  const before = ['bash', '-c', `ulimit -f ${limitKibibytes}; exec "$0" "$@"`];
  return withPlatform({ before }, async (platform, dataDirectory) => {
    const client = clientOf(platform);
    const stored = await readStored(dataDirectory);
    const failures: string[] = [];
    for (let upload = 0; upload < uploads; upload++) {
      signal?.throwIfAborted();
      const outcome = await client.upload((limitKibibytes + 1024) * 1024);
      failures.push(...problemOf('an upload beyond the limit', outcome));
      if (outcome.status < 300) failures.push('an upload beyond the limit was stored');
    }
    failures.push(...differencesOf(stored, await readStored(dataDirectory)));
    if ((await client.upload(1 << 20)).status !== 201) failures.push('a smaller upload is refused');
    return {
      tried: 'upload of a file that the kernel does not store',
      times: uploads,
      seen: 'a full database was not tried: this needs root on Linux',
      failures,
    };
  });
}
