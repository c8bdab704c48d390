import { mkdir, readdir, rename, rmdir, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type BatchResult, BlobsUnavailable, type Quarantine } from './blob-store.ts';
import { syncDirectory } from './durable-file.ts';
import { blobsIn, ifExists } from './local-files.ts';

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
      const move = (blobKey: string) => succeeded(rename(pathOf(blobKey), join(day, blobKey)));
      return inBatch(blobKeys, move, async (changeAll) => {
        if (await mkdir(day, { recursive: true, mode: 0o700 })) {
          await syncDirectory(directory);
          await syncDirectory(dirname(directory));
        }
        await changeAll();
        await syncDirectory(day);
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
      const move = async (blobKey: string) => {
        const path = pathOf(blobKey);
        const attempt = () => anyOf(all, (day) => rename(join(day, blobKey), path));
        // Usually its directory still exists.
        const moved = (await attempt()) || (await makeDirectory(dirname(path)).then(attempt));
        if (moved) restored.add(dirname(path));
        return moved;
      };
      return inBatch(blobKeys, move, async (changeAll) => {
        await changeAll();
        // Concurrently, so that the disk combines the writes.
        await Promise.all([...restored].map(syncDirectory));
      });
    },

    async remove(blobKeys) {
      const all = await days();
      return inBatch(
        blobKeys,
        (blobKey) => anyOf(all, (day) => unlink(join(day, blobKey))),
        async (changeAll) => {
          await changeAll();
          // Keeps the newest: `add` may be moving a blob into it.
          for (const day of all.slice(1)) await rmdir(day).catch(() => {});
        },
      );
    },

    /** The paths at which a blob in quarantine may be. */
    candidates: async (blobKey) => (await days()).map((day) => join(day, blobKey)),
  };
}

/** @param wrap calls `changeAll`, which never rejects, and syncs the directories before or after it */
async function inBatch(
  blobKeys: string[],
  change: (blobKey: string) => Promise<boolean>,
  wrap: (changeAll: () => Promise<void>) => Promise<void>,
): Promise<BatchResult> {
  const done: string[] = [];
  try {
    let failure: unknown;
    await wrap(async () => {
      for (const blobKey of blobKeys) {
        try {
          if (await change(blobKey)) done.push(blobKey);
        } catch (error) {
          failure = error;
          return;
        }
      }
    });
    if (failure) throw failure;
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
