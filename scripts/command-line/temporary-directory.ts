import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Creates a directory that is removed at the end of the block: `await using directory = await
 * temporaryDirectory('score')`.
 *
 * @param purpose a part of its name
 */
export async function temporaryDirectory(
  purpose: string,
  parent = tmpdir(),
): Promise<{ path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(parent, `wrp-${purpose}-`));
  return {
    path,
    // A PostgreSQL in it may still be shutting down.
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }),
  };
}
