import { lstat, opendir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ifExists } from '../durable-files/index.ts';
import { isBlobKey, type ListedBlob } from './blob-store.ts';

/** Directory entries per system call. */
const bufferSize = 1024;

/** Lists the blobs directly in a directory of any size. Skips other files. */
export async function* blobsIn(directory: string): AsyncIterable<ListedBlob> {
  for await (const { name } of await opendir(directory, { bufferSize })) yield* blobAt(directory, name);
}

/** Lists the blobs two levels below a directory. Each of these directories is small enough to be read at once. */
export async function* blobsBelow(directory: string): AsyncIterable<ListedBlob> {
  for (const first of await directoriesIn(directory)) {
    for (const second of await directoriesIn(first)) {
      for (const name of await readdir(second)) yield* blobAt(second, name);
    }
  }
}

async function* blobAt(directory: string, name: string): AsyncIterable<ListedBlob> {
  if (!isBlobKey(name)) return;
  const stats = await ifExists(lstat(join(directory, name)));
  if (stats?.isFile()) yield { blobKey: name, size: stats.size, modifiedAt: stats.mtime };
}

async function directoriesIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(directory, name));
}
