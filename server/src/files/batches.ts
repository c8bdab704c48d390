import { BlobMissing, type BlobStore } from '../../blobs/index.ts';

/** A blob as stores list it. */
export interface SizedBlob {
  blobKey: string;
  /** Bytes. */
  size: number;
}

export const keysOf = (blobs: SizedBlob[]) => blobs.map(({ blobKey }) => blobKey);

/** The items in arrays of `size`; the last one may be shorter. */
export async function* batchesOf<Item>(
  items: AsyncIterable<Item> | Item[],
  size: number,
): AsyncIterable<Item[]> {
  let batch: Item[] = [];
  for await (const item of items) {
    if (batch.push(item) < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Whether a store has a blob of this size. */
export async function hasBlob(
  store: Pick<BlobStore, 'read'>,
  { blobKey, size }: SizedBlob,
): Promise<boolean> {
  const last = size > 0 ? { start: size - 1, end: size - 1 } : undefined;
  const stream = await ifPresent(store.read(blobKey, last));
  stream?.destroy();
  return stream !== undefined;
}

/** Undefined if the blob is missing. */
export async function ifPresent<Result>(reading: Promise<Result>): Promise<Result | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof BlobMissing) return undefined;
    throw error;
  }
}
