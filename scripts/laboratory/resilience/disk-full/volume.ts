import { execFile } from 'node:child_process';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const size = '256m';

/** A file system of its own. */
export interface Volume extends AsyncDisposable {
  directory: string;
  /** Takes all room that is left. */
  fill(): Promise<void>;
  /** Frees what `fill` took. */
  makeRoom(): Promise<void>;
}

/** Mounts a small tmpfs; undefined if this user or system cannot. */
export async function openVolume(): Promise<Volume | undefined> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined;
  const directory = await mkdtemp(join(tmpdir(), 'wrp-volume-'));
  try {
    await execute('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=755`, 'tmpfs', directory]);
  } catch {
    // A container may lack the capability.
    await rm(directory, { recursive: true });
    return undefined;
  }
  const filler = join(directory, 'filler');
  return {
    directory,
    async fill() {
      const file = await open(filler, 'a');
      try {
        for (const bytes of [1 << 20, 1 << 12]) await writeUntilFull(file, Buffer.alloc(bytes, 1));
      } finally {
        await file.close();
      }
    },
    makeRoom: () => rm(filler, { force: true }),
    async [Symbol.asyncDispose]() {
      // PostgreSQL may still be shutting down: detached now, removed when it exits.
      await execute('umount', ['-l', directory]);
      await rm(directory, { recursive: true });
    },
  };
}

async function writeUntilFull(file: Awaited<ReturnType<typeof open>>, block: Buffer): Promise<void> {
  try {
    for (;;) await file.write(block);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}
