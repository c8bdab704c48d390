import type { StoredFile } from './stored-file.ts';

const stored = Symbol('stored JSON');

/** JSON whose text is stored: it is sent as it stands there, and never built in memory. */
export interface StoredJson extends Pick<StoredFile, 'blobKey' | 'bytes' | 'size'> {
  [stored]: true;
}

export function storedJson({ blobKey, bytes, size }: Omit<StoredJson, typeof stored>): StoredJson {
  return { [stored]: true, blobKey, bytes, size };
}

/** No JSON of a caller's can look like one. */
export function isStoredJson(body: unknown): body is StoredJson {
  return typeof body === 'object' && body !== null && stored in body;
}
