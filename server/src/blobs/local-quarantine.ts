import { mkdir, readdir, rename, rmdir, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type BatchResult, BlobsUnavailable, type Quarantine } from './blob-store.ts';
import { blobsIn, isCode } from './local-files.ts';
import { syncDirectory } from './sync-directory.ts';

const dayMilliseconds = 86_400_000;
const dayName = /^\d{4}-\d{2}-\d{2}$/;

/**
 * The quarantine of a local directory: `quarantine/2026-11-19/3fa2…`, by the day (UTC) on which a blob was moved
 * there. It lies in the file system of the blobs, so that a move is one rename and needs no space for the bytes.
 *
 * @param pathOf the path of a blob outside quarantine
 * @param makeDirectory makes the directory of such a path
 */
export function localQuarantine({
  directory,
  pathOf,
  makeDirectory,
}: {
  directory: string;
  pathOf(blobKey: string): string;
  makeDirectory(path: string): Promise<void>;
}): Quarantine & { candidates(blobKey: string): Promise<string[]> } {
  /** The newest first. */
  const days = async () => {
    const names = await readdir(directory).catch((error) => {
      if (isCode(error, 'ENOENT')) return [];
      throw error;
    });
    const sorted = names.filter((name) => dayName.test(name)).sort();
    return sorted.reverse().map((name) => join(directory, name));
  };

  return {
    async add(blobKeys, at) {
      const day = join(directory, at.toISOString().slice(0, 10));
      const move = (blobKey: string) => existing(rename(pathOf(blobKey), join(day, blobKey)));
      return inBatch(blobKeys, move, async (work) => {
        if (await mkdir(day, { recursive: true, mode: 0o700 })) {
          await syncDirectory(directory);
          await syncDirectory(dirname(directory));
        }
        await work();
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
        // Usually its directory is there still.
        const moved = (await attempt()) || (await makeDirectory(dirname(path)).then(attempt));
        if (moved) restored.add(dirname(path));
        return moved;
      };
      return inBatch(blobKeys, move, async (work) => {
        await work();
        // Together, because the disk then writes them together.
        await Promise.all([...restored].map(syncDirectory));
      });
    },

    async remove(blobKeys) {
      const all = await days();
      return inBatch(
        blobKeys,
        (blobKey) => anyOf(all, (day) => unlink(join(day, blobKey))),
        async (work) => {
          await work();
          // Not the newest: a blob may be on its way there.
          for (const day of all.slice(1)) await rmdir(day).catch(() => {});
        },
      );
    },

    /** Where a blob is if it is in quarantine. */
    candidates: async (blobKey) => (await days()).map((day) => join(day, blobKey)),
  };
}

/** @param around runs the work on the keys, and what makes it last */
async function inBatch(
  blobKeys: string[],
  change: (blobKey: string) => Promise<boolean>,
  around: (work: () => Promise<void>) => Promise<void>,
): Promise<BatchResult> {
  const done: string[] = [];
  try {
    let failure: unknown;
    await around(async () => {
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

/** Whether it was done in any of the directories. */
async function anyOf(days: string[], change: (day: string) => Promise<void>): Promise<boolean> {
  let changed = false;
  for (const day of days) changed = (await existing(change(day))) || changed;
  return changed;
}

/** @returns whether there was anything to change */
async function existing(change: Promise<void>): Promise<boolean> {
  return change.then(
    () => true,
    (error) => {
      if (isCode(error, 'ENOENT')) return false;
      throw error;
    },
  );
}
