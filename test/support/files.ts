import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/** A form with one file and any number of tags, as a browser sends it. */
export function formOf(file: File, tags: string[] = []): FormData {
  const form = new FormData();
  form.append('file', file);
  for (const tag of tags) form.append('tags', tag);
  return form;
}

/** The paths of all files of a directory and those within it, in their order. */
export async function filesBelow(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => join(parentPath, name)).sort();
}

/**
 * The stored files of production's uploads, complete or not; not those by which the platform tries every two seconds
 * whether it can write, as each is gone in a moment.
 */
export async function storedFiles(dataDirectory: string): Promise<string[]> {
  const directory = join(dataDirectory, 'blobs', 'production');
  const files = await filesBelow(directory);
  if (!files.some((path) => path.includes('/incoming/'))) return files;
  await setTimeout(500);
  const left = new Set(await filesBelow(directory));
  return files.filter((path) => left.has(path));
}

/** The bytes of a response. */
export async function bytesOf(response: Response | Promise<Response>): Promise<Buffer> {
  return Buffer.from(await (await response).arrayBuffer());
}
