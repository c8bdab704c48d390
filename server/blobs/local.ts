import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { addAbortSignal } from 'node:stream';
import { createDurably, ifExists, replaceDurably, syncDirectory } from '../durable-files/index.ts';
import { BlobMissing, type BlobStore, isBlobKey, type Marker } from './blob-store.ts';
import { copyToFile, orUnavailable } from './copy-to-file.ts';
import { blobsBelow, blobsIn } from './local-files.ts';
import { localQuarantine } from './local-quarantine.ts';

/** Bytes per read: with Node's 64 KiB the thread pool costs more than the read itself. */
const readSize = 1 << 20;

/**
 * Stores blobs as files of a local directory: `incoming/…` while they are written, `blobs/3f/a2/3fa2…` when they are
 * complete, `quarantine/…` when the database does not know them. All are in one file system, so that a blob is moved
 * atomically. `store-id` is the marker.
 *
 * @throws BlobsUnavailable if the directory cannot be created
 */
export async function openLocalBlobs(directory: string): Promise<BlobStore> {
  const complete = join(directory, 'blobs');
  const incoming = join(directory, 'incoming');
  const pathOf = (blobKey: string) => {
    if (!isBlobKey(blobKey)) throw new BlobMissing(blobKey);
    return join(complete, blobKey.slice(0, 2), blobKey.slice(2, 4), blobKey);
  };
  for (const needed of [complete, incoming])
    await orUnavailable(mkdir(needed, { recursive: true, mode: 0o700 }));
  const makeDirectory = directoryMaker(complete);
  const quarantine = localQuarantine({ directory: join(directory, 'quarantine'), pathOf, makeDirectory });

  const openBlob = async (blobKey: string): Promise<FileHandle> => {
    const path = pathOf(blobKey);
    const found = await orUnavailable(ifExists(open(path)));
    if (found) return found;
    // The sweep may restore it in the meantime: then it is back at `path`.
    for (const candidate of [...(await quarantine.candidates(blobKey)), path]) {
      const file = await orUnavailable(ifExists(open(candidate)));
      if (file) return file;
    }
    throw new BlobMissing(blobKey);
  };

  return {
    marker: markerFile(directory),
    quarantine,

    async write(source, { signal, limit = Number.POSITIVE_INFINITY, blobKey = randomUUID() } = {}) {
      // Nothing else listens before the first read, which also reports an earlier error.
      source.on('error', () => {});
      if (signal) addAbortSignal(signal, source);
      const [draft, path] = [join(incoming, blobKey), pathOf(blobKey)];
      const directoryMade = orUnavailable(makeDirectory(dirname(path)));
      directoryMade.catch(() => {});
      try {
        const written = await createFile(draft, (file) => copyToFile(source, file, limit));
        signal?.throwIfAborted();
        await directoryMade;
        await orUnavailable(rename(draft, path));
        await orUnavailable(syncDirectory(dirname(path)));
        return { blobKey, ...written };
      } catch (error) {
        source.destroy();
        for (const file of [draft, path]) await rm(file, { force: true }).catch(() => {});
        throw error;
      }
    },

    async read(blobKey, range) {
      const file = await openBlob(blobKey);
      try {
        const { size } = await file.stat();
        if (range && range.end >= size) throw new BlobMissing(blobKey, `has only ${size} bytes`);
        return file.createReadStream({ ...range, highWaterMark: readSize });
      } catch (error) {
        await file.close();
        throw error;
      }
    },

    async delete(blobKey) {
      await orUnavailable(rm(pathOf(blobKey), { force: true }));
    },

    list: () => blobsBelow(complete),

    async collectUnfinished(olderThan) {
      let collected = 0;
      for await (const { blobKey, modifiedAt } of blobsIn(incoming)) {
        if (modifiedAt >= olderThan) continue;
        await rm(join(incoming, blobKey), { force: true });
        collected++;
      }
      return collected;
    },

    async check() {
      const probe = join(incoming, randomUUID());
      try {
        await orUnavailable(writeFile(probe, 'probe', { flag: 'wx', mode: 0o600 }));
      } finally {
        await rm(probe, { force: true }).catch(() => {});
      }
    },
  };
}

/**
 * Creates directories two levels below `root` durably, each once. A new directory survives a crash if its parent is
 * synced.
 */
function directoryMaker(root: string): (directory: string) => Promise<void> {
  const made = new Map<string, Promise<void>>();
  const make = async (directory: string) => {
    try {
      // Not the root itself: it is away if its volume is not mounted.
      for (const level of [dirname(directory), directory]) await ifMissing(mkdir(level, { mode: 0o700 }));
      await syncDirectory(dirname(directory));
      await syncDirectory(root);
    } catch (error) {
      made.delete(directory);
      throw error;
    }
  };
  return (directory) => {
    const making = made.get(directory) ?? make(directory);
    made.set(directory, making);
    return making;
  };
}

async function ifMissing(making: Promise<unknown>): Promise<void> {
  await making.catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}

async function createFile<Result>(path: string, use: (file: FileHandle) => Promise<Result>) {
  const file = await orUnavailable(open(path, 'wx', 0o600));
  try {
    return await use(file);
  } finally {
    await orUnavailable(file.close());
  }
}

function markerFile(directory: string): Marker {
  const path = join(directory, 'store-id');
  const read = async () => (await orUnavailable(ifExists(readFile(path, 'utf8'))))?.trim();
  return {
    location: directory,
    settings: 'DATA_DIR',
    read,
    async create(id) {
      await orUnavailable(createDurably(path, `${id}\n`));
      return (await read()) ?? '';
    },
    replace: (id) => orUnavailable(replaceDurably(path, `${id}\n`)),
  };
}
