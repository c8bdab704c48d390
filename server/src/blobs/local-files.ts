import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ListedBlob } from './blob-store.ts';

const key = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
/** Entries that one call to the system reads. */
const bufferSize = 256;

export function isBlobKey(text: string): boolean {
  return key.test(text);
}

/** The blobs that lie in a directory, and not below it. Whatever else is there is skipped. */
export async function* blobsIn(directory: string): AsyncIterable<ListedBlob> {
  for await (const { name } of await opendir(directory, { bufferSize })) {
    if (!isBlobKey(name)) continue;
    const found = await lstat(join(directory, name)).catch((error) => {
      if (!isCode(error, 'ENOENT')) throw error;
    });
    if (found?.isFile()) yield { blobKey: name, size: found.size, modifiedAt: found.mtime };
  }
}

export async function* directoriesIn(directory: string): AsyncIterable<string> {
  for await (const entry of await opendir(directory, { bufferSize })) {
    if (entry.isDirectory()) yield join(directory, entry.name);
  }
}

export function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
