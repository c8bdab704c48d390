import type { StoredFile } from '../../blobs/index.ts';

const stored = Symbol('stored JSON');

/** Stored JSON text, which is sent as it is and never parsed. */
export interface StoredJson extends Pick<StoredFile, 'blobKey' | 'bytes' | 'size'> {
  [stored]: true;
}

export function storedJson({ blobKey, bytes, size }: Omit<StoredJson, typeof stored>): StoredJson {
  return { [stored]: true, blobKey, bytes, size };
}

/** A symbol, so that no JSON of a caller can be mistaken for it. */
export function isStoredJson(body: unknown): body is StoredJson {
  return typeof body === 'object' && body !== null && stored in body;
}
