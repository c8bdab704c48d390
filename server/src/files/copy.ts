import { createHash } from 'node:crypto';
import type { BlobStore } from '../../blobs/index.ts';
import { blobDigests, blobStatuses } from '../store/blobs.ts';
import { databaseTime } from '../store/clock.ts';
import type { Database } from '../store/database.ts';
import { batchesOf, hasBlob, ifPresent, keysOf, type SizedBlob } from './batches.ts';

/** Blobs per query. */
const batchSize = 100;
/** Blobs that are copied at the same time. */
const concurrency = 4;
const dayMilliseconds = 86_400_000;

export interface CopyReport {
  copied: { count: number; bytes: number };
  /** Copied by an earlier run. */
  present: number;
  quarantined: number;
  /** Put into quarantine because neither the database nor the store has them, for example because they were deleted. */
  unknown: number;
  /** Keys of blobs that differ from what the database says of them. Copied as they are. */
  damaged: string[];
}

interface Copying {
  from: BlobStore;
  to: BlobStore;
  database: Database;
  /** Called after each blob. */
  progress(report: CopyReport): void;
}

/** A copy cannot be read back as it was written. */
export class CopyError extends Error {}

/**
 * Copies all blobs and the quarantine of a store, and leaves the store as it is. Reads each copy back and compares it.
 * A repeated run copies only what is missing. Both stores may be in use, but the copy is complete only if nothing was
 * written meanwhile.
 *
 * @throws CopyError, BlobsUnavailable
 */
export async function copyBlobs(copying: Copying): Promise<CopyReport> {
  const { from, to } = copying;
  const report: CopyReport = {
    copied: { count: 0, bytes: 0 },
    present: 0,
    quarantined: 0,
    unknown: 0,
    damaged: [],
  };
  // Blobs that are still in quarantine return there below.
  for await (const batch of batchesOf(to.quarantine.list(), batchSize))
    await changed(to.quarantine.restore(keysOf(batch)));
  for await (const batch of batchesOf(from.list(), batchSize)) await copyAll(copying, batch, report);
  for await (const batch of batchesOf(from.quarantine.list(), batchSize)) {
    await copyAll(copying, batch, report);
    for (const { blobKey, since } of batch) {
      const day = new Date(since.getTime() - dayMilliseconds);
      report.quarantined += (await changed(to.quarantine.add([blobKey], day))).length;
    }
  }
  await quarantineUnknown(copying, report);
  return report;
}

async function copyAll(copying: Copying, batch: SizedBlob[], report: CopyReport): Promise<void> {
  const digests = await blobDigests(copying.database, keysOf(batch));
  const rest = batch.values();
  let failed = false;
  const work = async () => {
    for (const blob of rest) {
      if (failed) return;
      await copyOne(copying, blob, digests.get(blob.blobKey), report);
      copying.progress(report);
    }
  };
  const working = Array.from({ length: concurrency }, () =>
    work().catch((error) => {
      failed = true;
      throw error;
    }),
  );
  await Promise.allSettled(working);
  await Promise.all(working);
}

async function copyOne(
  { from, to }: Copying,
  { blobKey, size }: SizedBlob,
  expected: Buffer | undefined,
  report: CopyReport,
): Promise<void> {
  // A store has a blob only when it is whole.
  if (await hasBlob(to, { blobKey, size })) {
    report.present++;
    return;
  }
  const source = await ifPresent(from.read(blobKey));
  // Deleted since it was listed.
  if (!source) return;
  const written = await to.write(source, { blobKey });
  const copy = createHash('sha256');
  for await (const chunk of await to.read(blobKey)) copy.update(chunk);
  if (!copy.digest().equals(written.sha256)) {
    await to.delete(blobKey);
    throw new CopyError(`The copy of ${blobKey} in ${to.marker.location} differs from what was written.`);
  }
  report.copied.count++;
  report.copied.bytes += written.size;
  if (expected && !expected.equals(written.sha256)) report.damaged.push(blobKey);
}

/** Blobs that were deleted between two runs: a sweep would stop if there were many. */
async function quarantineUnknown({ from, to, database }: Copying, report: CopyReport): Promise<void> {
  const now = await databaseTime(database);
  for await (const batch of batchesOf(to.list(), batchSize)) {
    const statuses = await blobStatuses(database, keysOf(batch));
    const unknown: string[] = [];
    for (const blob of batch) {
      if (!statuses.has(blob.blobKey) && !(await hasBlob(from, blob))) unknown.push(blob.blobKey);
    }
    report.unknown += (await changed(to.quarantine.add(unknown, now))).length;
  }
}

/** @throws the failure of a batch */
async function changed(result: ReturnType<BlobStore['quarantine']['restore']>): Promise<string[]> {
  const { done, failure } = await result;
  if (failure) throw failure;
  return done;
}
