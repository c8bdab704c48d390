import { accessSync, constants, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const memory = '/dev/shm';
const room = 3 * 2 ** 30;

/**
 * Where the databases and stored files of tests are: in memory, if there is room. A copy of a database, as most test
 * files make one, is a thousand files: on a disk, it takes ten times as much processor time.
 */
export function temporaryRoot(): string {
  try {
    accessSync(memory, constants.W_OK);
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize > room ? memory : tmpdir();
  } catch {
    return tmpdir();
  }
}
