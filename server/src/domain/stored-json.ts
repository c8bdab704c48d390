const stored = Symbol('stored JSON');

/** JSON whose text is in the blob store: it is sent as it stands there, and never built in memory. */
export interface StoredJson {
  [stored]: true;
  blobKey: string;
  /** Bytes. */
  size: number;
}

export function storedJson({ blobKey, size }: { blobKey: string; size: number }): StoredJson {
  return { [stored]: true, blobKey, size };
}

/** No JSON of a caller's can look like one. */
export function isStoredJson(body: unknown): body is StoredJson {
  return typeof body === 'object' && body !== null && stored in body;
}
