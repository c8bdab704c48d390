import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownerOf } from '../../../server/embedded-postgres/index.ts';

const prefix = 'wrp-mock-';
/** A mock that is starting has a directory but no database yet. */
const startMilliseconds = 60_000;

/** Creates a temporary directory, and removes those of mocks that were killed. */
export function makeDirectory(): { path: string; remove(): void } {
  removeOrphans();
  const path = mkdtempSync(join(tmpdir(), prefix));
  const remove = () => {
    // PostgreSQL removes the directory of its socket only if it shuts down before its data is gone.
    const { socketDirectory } = ownerOf(path) ?? {};
    for (const directory of socketDirectory ? [socketDirectory, path] : [path])
      rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
  };
  return { path, remove };
}

function removeOrphans(): void {
  for (const name of readdirSync(tmpdir())) {
    if (!name.startsWith(prefix)) continue;
    const directory = join(tmpdir(), name);
    const age = Date.now() - (statSync(directory, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age < startMilliseconds) continue;
    try {
      if (ownerOf(directory) === undefined) rmSync(directory, { recursive: true, force: true });
    } catch {
      // It belongs to another user.
    }
  }
}
