import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** A form with one file and any number of tags, as a browser sends it. */
export function formOf(file: File, tags: string[] = []): FormData {
  const form = new FormData();
  form.append('file', file);
  for (const tag of tags) form.append('tags', tag);
  return form;
}

/** The names of the files that production keeps of its uploads, finished or not. */
export async function storedFiles(dataDirectory: string): Promise<string[]> {
  const entries = await readdir(join(dataDirectory, 'blobs', 'production'), {
    recursive: true,
    withFileTypes: true,
  });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

/** The bytes of an answer. */
export async function bytesOf(response: Response | Promise<Response>): Promise<Buffer> {
  return Buffer.from(await (await response).arrayBuffer());
}
