import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownerOf } from '../../../server/src/postgres/lock.ts';

const prefix = 'wrp-mock-';
/** A mock that just starts has a directory and no database yet. */
const youngMilliseconds = 60_000;

/** A directory of this mock's own, to be removed at its end. What mocks that were killed have left is removed now. */
export function makeDirectory(): { path: string; remove(): void } {
  removeLeftOvers();
  const path = mkdtempSync(join(tmpdir(), prefix));
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 3 }) };
}

function removeLeftOvers(): void {
  for (const name of readdirSync(tmpdir())) {
    if (!name.startsWith(prefix)) continue;
    const directory = join(tmpdir(), name);
    const age = Date.now() - (statSync(directory, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age < youngMilliseconds) continue;
    try {
      if (ownerOf(directory) === undefined) rmSync(directory, { recursive: true, force: true });
    } catch {
      // Another user's: theirs to remove.
    }
  }
}
