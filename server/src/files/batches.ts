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
