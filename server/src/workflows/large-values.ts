import { createHash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { BlobMissing, type BlobStore, writeText } from '../../blobs/index.ts';
import type { Database } from '../store/database.ts';
import { findLargeValue, insertLargeValue, largeValuesOf } from '../store/execution-history.ts';
import type { HistoryEntry } from '../store/threads.ts';

/** Bytes of large values that an execution's history keeps. Of those beyond, it has the size only. */
export const maxLargeBytes = 64 * 1024 * 1024;

/** A detail has the SHA-256 of a large value under its name and this. */
const digestSuffix = 'Sha256';

/**
 * Stores the large values of history entries in the blob store, before the transaction that adds the entries: if that is
 * rolled back, the values stay until the history is deleted.
 *
 * @returns the entries with the SHA-256 of each stored value as `<name>Sha256`
 */
export async function storeLargeValues(
  { database, blobs }: { database: Database; blobs: Pick<BlobStore, 'write' | 'delete'> },
  executionId: string,
  entries: HistoryEntry[],
): Promise<HistoryEntry[]> {
  if (!entries.some(({ largeValues }) => largeValues)) return entries;
  const { digests, bytes } = await largeValuesOf(database, executionId);
  let stored = bytes;
  const digestOf = async (json: string): Promise<string | undefined> => {
    const digest = createHash('sha256').update(json).digest('hex');
    if (digests.has(digest)) return digest;
    const size = Buffer.byteLength(json);
    if (stored + size > maxLargeBytes) return undefined;
    const blob = await writeText(blobs, json);
    // Another thread of the execution can have stored the same value meanwhile.
    if (!(await insertLargeValue(database, executionId, blob))) await blobs.delete(blob.blobKey);
    digests.add(digest);
    stored += size;
    return digest;
  };
  const withDigests: HistoryEntry[] = [];
  for (const { largeValues = {}, ...entry } of entries) {
    const detail: Record<string, unknown> = { ...entry.detail };
    for (const [name, json] of Object.entries(largeValues)) {
      const digest = await digestOf(json);
      if (digest !== undefined) detail[`${name}${digestSuffix}`] = digest;
    }
    withDigests.push({ ...entry, detail });
  }
  return withDigests;
}

/** Whether an entry has values in the blob store. */
export function hasLargeValues({ detail }: Pick<HistoryEntry, 'detail'>): boolean {
  return Object.keys(detail).some((name) => name.endsWith(digestSuffix));
}

/** The entry with its large values, which are read from the blob store, except those whose files are missing. */
export async function withLargeValues<Entry extends HistoryEntry>(
  { database, blobs }: { database: Database; blobs: Pick<BlobStore, 'read'> },
  executionId: string,
  entry: Entry,
): Promise<Entry> {
  const detail: Record<string, unknown> = { ...entry.detail };
  for (const [name, digest] of Object.entries(detail)) {
    if (!name.endsWith(digestSuffix)) continue;
    const value = await findLargeValue(database, executionId, String(digest));
    const json = value && (await textOf(blobs, value.blobKey));
    if (json !== undefined) detail[name.slice(0, -digestSuffix.length)] = JSON.parse(json);
  }
  return { ...entry, detail };
}

/** @returns undefined if the file is missing: `wrp blobs verify` lists it */
async function textOf(blobs: Pick<BlobStore, 'read'>, blobKey: string): Promise<string | undefined> {
  try {
    return await text(await blobs.read(blobKey));
  } catch (error) {
    if (error instanceof BlobMissing) return undefined;
    throw error;
  }
}
