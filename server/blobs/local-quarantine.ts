import { mkdir, readdir, rename, rmdir, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ifExists, syncDirectory } from '../durable-files/index.ts';
import { type BatchResult, BlobsUnavailable, type Quarantine } from './blob-store.ts';
import { blobsIn } from './local-files.ts';

const dayMilliseconds = 86_400_000;
const dayName = /^\d{4}-\d{2}-\d{2}$/;

interface QuarantineOptions {
  directory: string;
  /** The path of a blob outside quarantine. */
  pathOf(blobKey: string): string;
  /** Creates the directory of such a path. */
  makeDirectory(path: string): Promise<void>;
}

/**
 * The quarantine of a local blob store: `quarantine/2026-11-19/3fa2…`, by the UTC day of the move. It is in the same
 * file system as the blobs, so that a move is one rename.
 */
export function localQuarantine({
  directory,
  pathOf,
  makeDirectory,
}: QuarantineOptions): Quarantine & { candidates(blobKey: string): Promise<string[]> } {
  /** Newest first. */
  const days = async () => {
    const names = (await ifExists(readdir(directory))) ?? [];
    const sorted = names.filter((name) => dayName.test(name)).sort();
    return sorted.reverse().map((name) => join(directory, name));
  };

  return {
    async add(blobKeys, at) {
      const day = join(directory, at.toISOString().slice(0, 10));
      return changeEach(blobKeys, {
        async prepare() {
          if (!(await mkdir(day, { recursive: true, mode: 0o700 }))) return;
          await syncDirectory(directory);
          await syncDirectory(dirname(directory));
        },
        change: (blobKey) => succeeded(rename(pathOf(blobKey), join(day, blobKey))),
        finish: () => syncDirectory(day),
      });
    },

    async *list() {
      for (const day of await days()) {
        const since = new Date(Date.parse(basename(day)) + dayMilliseconds);
        for await (const { blobKey, size } of blobsIn(day)) yield { blobKey, size, since };
      }
    },

    async restore(blobKeys) {
      const all = await days();
      const restored = new Set<string>();
      return changeEach(blobKeys, {
        async change(blobKey) {
          const path = pathOf(blobKey);
          const move = () => anyOf(all, (day) => rename(join(day, blobKey), path));
          // Usually its directory still exists.
          const moved = (await move()) || (await makeDirectory(dirname(path)).then(move));
          if (moved) restored.add(dirname(path));
          return moved;
        },
        // Concurrently, so that the disk combines the writes.
        finish: () => Promise.all([...restored].map(syncDirectory)),
      });
    },

    async remove(blobKeys) {
      const all = await days();
      return changeEach(blobKeys, {
        change: (blobKey) => anyOf(all, (day) => unlink(join(day, blobKey))),
        // Keeps the newest directory: `add` may be moving a blob into it.
        finish: () => Promise.allSettled(all.slice(1).map((day) => rmdir(day))),
      });
    },

    /** The paths at which a blob in quarantine may be. */
    candidates: async (blobKey) => (await days()).map((day) => join(day, blobKey)),
  };
}

interface Batch {
  prepare?(): Promise<void>;
  /** @returns whether there was anything to change */
  change(blobKey: string): Promise<boolean>;
  /** Makes the changes durable, also after a failure. */
  finish(): Promise<unknown>;
}

async function changeEach(blobKeys: string[], { prepare, change, finish }: Batch): Promise<BatchResult> {
  const done: string[] = [];
  try {
    try {
      await prepare?.();
      for (const blobKey of blobKeys) if (await change(blobKey)) done.push(blobKey);
    } finally {
      await finish();
    }
    return { done };
  } catch (error) {
    return { done, failure: new BlobsUnavailable(error) };
  }
}

/** Whether the change succeeded in any of the directories. */
async function anyOf(days: string[], change: (day: string) => Promise<void>): Promise<boolean> {
  let changed = false;
  for (const day of days) changed = (await succeeded(change(day))) || changed;
  return changed;
}

/** Whether the change succeeded. False if the file does not exist. */
async function succeeded(change: Promise<void>): Promise<boolean> {
  return (await ifExists(change.then(() => true))) ?? false;
}
