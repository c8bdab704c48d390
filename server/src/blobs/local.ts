import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { addAbortSignal } from 'node:stream';
import { BlobMissing, type BlobStore, type Marker } from './blob-store.ts';
import { copyToFile, storing } from './copy-to-file.ts';
import { createDurably, replaceDurably } from './durable-file.ts';
import { blobsBelow, blobsIn, isBlobKey, isCode } from './local-files.ts';
import { localQuarantine } from './local-quarantine.ts';
import { syncDirectory } from './sync-directory.ts';

/** Bytes read at once: at Node's 64 KiB the way through the thread pool costs more than the reading. */
const readSize = 1 << 20;

/**
 * Blobs as files of a local directory: `blobs/3f/a2/3fa2…` when they are complete, `incoming/…` until then,
 * `quarantine/…` when the database does not know them, in one file system, so that a blob appears at once and
 * whole. `store-id` is the marker.
 *
 * @throws BlobsUnavailable when the directory cannot be made
 */
export async function openLocalBlobs(directory: string): Promise<BlobStore> {
  const complete = join(directory, 'blobs');
  const incoming = join(directory, 'incoming');
  const pathOf = (blobKey: string) => {
    if (!isBlobKey(blobKey)) throw new BlobMissing(blobKey);
    return join(complete, blobKey.slice(0, 2), blobKey.slice(2, 4), blobKey);
  };
  for (const needed of [complete, incoming]) await storing(mkdir(needed, { recursive: true, mode: 0o700 }));
  const makeDirectory = directoryMaker(complete);
  const quarantine = localQuarantine({ directory: join(directory, 'quarantine'), pathOf, makeDirectory });

  const openBlob = async (blobKey: string): Promise<FileHandle> => {
    const path = pathOf(blobKey);
    const found = await openIfThere(path);
    if (found) return found;
    // The sweeper may bring it back while we look: then it is at its usual path again.
    for (const candidate of [...(await quarantine.candidates(blobKey)), path]) {
      const file = await openIfThere(candidate);
      if (file) return file;
    }
    throw new BlobMissing(blobKey);
  };

  return {
    marker: markerFile(directory),
    quarantine,

    async write(source, { signal, limit = Number.POSITIVE_INFINITY } = {}) {
      // Between here and the first read nobody listens; the read sees a failure that came before it.
      source.on('error', () => {});
      if (signal) addAbortSignal(signal, source);
      const blobKey = randomUUID();
      const [draft, path] = [join(incoming, blobKey), pathOf(blobKey)];
      const place = storing(makeDirectory(dirname(path)));
      place.catch(() => {});
      try {
        const written = await withFile(draft, 'wx', (file) => copyToFile(source, file, limit));
        signal?.throwIfAborted();
        await place;
        await storing(rename(draft, path));
        await storing(syncDirectory(dirname(path)));
        return { blobKey, ...written };
      } catch (error) {
        source.destroy();
        for (const left of [draft, path]) await rm(left, { force: true }).catch(() => {});
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
      await storing(rm(pathOf(blobKey), { force: true }));
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
        await withFile(probe, 'wx', (file) => storing(file.writeFile('probe')));
      } finally {
        await rm(probe, { force: true }).catch(() => {});
      }
    },
  };
}

/**
 * Makes directories two levels below `root` so that they survive a crash: a new directory is an entry of
 * its parent, and durable when the parent is. Each is seen to once.
 */
function directoryMaker(root: string): (directory: string) => Promise<void> {
  const made = new Map<string, Promise<void>>();
  const make = async (directory: string) => {
    try {
      await mkdir(directory, { recursive: true, mode: 0o700 });
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

async function withFile<Result>(path: string, flags: string, use: (file: FileHandle) => Promise<Result>) {
  const file = await storing(open(path, flags, 0o600));
  try {
    return await use(file);
  } finally {
    await storing(file.close());
  }
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  return open(path, 'r').catch((error) => {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  });
}

function markerFile(directory: string): Marker {
  const path = join(directory, 'store-id');
  const read = async () => {
    const text = await storing(
      readFile(path, 'utf8').catch((error) => {
        if (isCode(error, 'ENOENT')) return undefined;
        throw error;
      }),
    );
    return text?.trim();
  };
  return {
    place: directory,
    read,
    async create(id) {
      await storing(createDurably(path, `${id}\n`));
      return (await read()) ?? '';
    },
    replace: (id) => storing(replaceDurably(path, `${id}\n`)),
  };
}
