import { createHash } from 'node:crypto';
import type { BlobStore } from '../../blobs/index.ts';
import { type BlobRow, blobRows, blobStatuses, storeListing } from '../store/blobs.ts';
import type { Database } from '../store/database.ts';
import { batchesOf, hasBlob, ifPresent, keysOf } from './batches.ts';
import { assertBound } from './binding.ts';
import { graceMilliseconds } from './sweep.ts';

/** Blobs per query. */
const batchSize = 1_000;
/** Blobs that are read at the same time. */
const concurrency = 4;
/** Entries of each list of a report. */
export const maxListed = 10_000;

interface Finding<Entry> {
  count: number;
  /** The first `maxListed`. */
  list: Entry[];
}

export interface VerifyReport {
  /** Blobs of the store, quarantine included. */
  stored: { count: number; bytes: number };
  /** Rows whose file is not in the store, or has another size. */
  missing: Finding<BlobRow>;
  /** Rows whose file has other bytes; undefined if they were not read. */
  damaged: Finding<BlobRow> | undefined;
  /** Files over an hour old that no row names, and which are not in quarantine. */
  unknown: Finding<{ blobKey: string; size: number }>;
}

interface Verifying {
  blobs: BlobStore;
  database: Database;
  now: Date;
  /** Whether to read all files. */
  checksums: boolean;
  /** Called with the number of files that were listed or read so far. */
  progress(verb: 'listed' | 'read', count: number): void;
}

/**
 * Compares a blob store with the rows that refer to it, and changes neither. The database compares the lists, so memory
 * does not grow with their number. Both may be in use.
 *
 * @throws BlobBindingError if store and database are not bound to each other
 */
export async function verifyBlobs(verifying: Verifying): Promise<VerifyReport> {
  await assertBound(verifying);
  const { blobs, database, now, checksums, progress } = verifying;
  const report = await database.connection().execute(async (connection) => {
    const listing = storeListing(connection);
    await listing.create();
    const stored = { count: 0, bytes: 0 };
    for (const list of [blobs.list(), blobs.quarantine.list()]) {
      for await (const batch of batchesOf<{ blobKey: string; size: number }>(list, batchSize)) {
        await listing.add(batch);
        stored.count += batch.length;
        for (const { size } of batch) stored.bytes += size;
        progress('listed', stored.count);
      }
    }
    const missing = await listing.missing(maxListed);
    const unknown = await listing.unknown(new Date(now.getTime() - graceMilliseconds), maxListed);
    return { stored, missing, unknown: { count: unknown.total, list: unknown.rows } };
  });
  const missing = await stillMissing(verifying, report.missing.rows);
  const changed = report.missing.rows.length - missing.length;
  return {
    ...report,
    missing: { count: report.missing.total - changed, list: missing },
    damaged: checksums ? await findDamaged(verifying) : undefined,
  };
}

/** What was written or deleted since the store was listed is not missing. */
async function stillMissing({ blobs, database }: Verifying, rows: BlobRow[]): Promise<BlobRow[]> {
  const missing: BlobRow[] = [];
  for await (const batch of batchesOf(rows, batchSize)) {
    const lost = await inParallel(batch, async (row) => !(await hasBlob(blobs, row)));
    const statuses = await blobStatuses(database, keysOf(lost));
    missing.push(...lost.filter(({ blobKey }) => statuses.get(blobKey) === 'named'));
  }
  return missing;
}

async function findDamaged({ blobs, database, progress }: Verifying): Promise<Finding<BlobRow>> {
  const damaged: Finding<BlobRow> = { count: 0, list: [] };
  let count = 0;
  for (let after = ''; ; ) {
    const batch = await blobRows(database, { after, limit: batchSize });
    if (batch.length === 0) return damaged;
    after = batch.at(-1)?.blobKey ?? '';
    const found = await inParallel(batch, async ({ blobKey, sha256 }) => {
      const source = await ifPresent(blobs.read(blobKey));
      const hash = createHash('sha256');
      if (source) for await (const chunk of source) hash.update(chunk);
      progress('read', ++count);
      return source !== undefined && !hash.digest().equals(sha256);
    });
    damaged.count += found.length;
    for (const { sha256: _, ...row } of found) if (damaged.list.length < maxListed) damaged.list.push(row);
  }
}

/** The items for which a check holds. */
async function inParallel<Item>(items: Item[], check: (item: Item) => Promise<boolean>): Promise<Item[]> {
  const found = new Set<Item>();
  const rest = items.values();
  const work = async () => {
    for (const item of rest) if (await check(item)) found.add(item);
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return items.filter((item) => found.has(item));
}
