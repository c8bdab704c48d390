import { lstat, opendir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ListedBlob } from './blob-store.ts';

const key = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
/** Entries that one call to the system reads. */
const bufferSize = 1024;

export function isBlobKey(text: string): boolean {
  return key.test(text);
}

/** The blobs that lie in a directory of any size, and not below it. Whatever else is there is skipped. */
export async function* blobsIn(directory: string): AsyncIterable<ListedBlob> {
  for await (const { name } of await opendir(directory, { bufferSize })) yield* blobAt(directory, name);
}

/** The same two levels of directories below, each of them small enough to be read at once. */
export async function* blobsBelow(directory: string): AsyncIterable<ListedBlob> {
  for (const first of await directoriesIn(directory)) {
    for (const second of await directoriesIn(first)) {
      for (const name of await readdir(second)) yield* blobAt(second, name);
    }
  }
}

async function* blobAt(directory: string, name: string): AsyncIterable<ListedBlob> {
  if (!isBlobKey(name)) return;
  const found = await lstat(join(directory, name)).catch((error) => {
    if (!isCode(error, 'ENOENT')) throw error;
  });
  if (found?.isFile()) yield { blobKey: name, size: found.size, modifiedAt: found.mtime };
}

async function directoriesIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(directory, name));
}

export function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
