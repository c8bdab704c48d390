import type { Logger } from 'pino';
import {
  type BlobStatus,
  blobStatuses,
  countDeletedBlobs,
  deletedBlobs,
  forgetDeletedBlobs,
} from '../store/blobs.ts';
import type { Database } from '../store/database.ts';
import { assertBound } from './binding.ts';
import type { BatchResult, BlobStore } from './blob-store.ts';

/** Blobs looked up in one query, and named by one line of the log. */
const batchSize = 500;
/** A row comes after its bytes, by seconds at most: a blob without a row is left alone for so long. */
const youngMilliseconds = 3_600_000;
const dayMilliseconds = 86_400_000;

/** A sweep that would quarantine more than this is stopped: more likely the database is the wrong one. */
const mostUnknown = 1_000;
const mostUnknownShare = 0.05;
/** So many may always be quarantined, in a store of any size. */
const alwaysAllowed = 20;

export interface Sweeping {
  blobs: BlobStore;
  database: Database;
  /** Whole days that a blob stays in quarantine. */
  quarantineDays: number;
  /** Gets one line for each batch of blobs that is removed, quarantined or restored. */
  logger: Logger;
}

/**
 * `limited`: stops before it quarantines more than a crash explains. `confirmed`: quarantines whatever is unknown.
 * `dry-run`: changes nothing.
 */
export type SweepMode = 'limited' | 'confirmed' | 'dry-run';

export interface Tally {
  count: number;
  bytes: number;
}

/** What a sweep found and did; a dry run: what it would do. */
export interface SweepReport {
  /** Blobs outside quarantine, after some were restored and before any was quarantined. */
  stored: Tally;
  /** Removed because this database deleted their rows. */
  deleted: { count: number };
  /** Brought back from quarantine, because a row names them. */
  restored: Tally;
  /** Neither named nor deleted by this database. */
  unknown: Tally;
  /** Those of them that were quarantined. */
  quarantined: Tally;
  /** Removed after their time in quarantine. */
  expired: Tally;
  /** There are too many unknown blobs: none was quarantined, and none was removed from quarantine. */
  stopped: boolean;
}

interface Sweep extends Sweeping {
  now: Date;
  mode: SweepMode;
  signal?: AbortSignal | undefined;
  report: SweepReport;
}

/**
 * Removes the blobs whose rows this database deleted, and quarantines those that it never knew: what a crash left
 * between storing bytes and committing their row, or all files of a newer database when an older one was restored.
 * What a row names again comes back from quarantine; the rest is removed when its time is over.
 *
 * Holds a bounded number of keys in memory, whatever the size of the store. Another sweep at the same time, uploads
 * and deletions do no harm. Failures leave what they interrupted to the next sweep.
 *
 * @throws BlobBindingError when store and database do not belong together; nothing is changed then
 */
export async function sweepBlobs({
  now,
  mode = 'limited',
  signal,
  ...sweeping
}: Sweeping & { now: Date; mode?: SweepMode; signal?: AbortSignal | undefined }): Promise<SweepReport> {
  await assertBound(sweeping);
  const none = () => ({ count: 0, bytes: 0 });
  const report: SweepReport = {
    ...{ stored: none(), deleted: { count: 0 }, restored: none() },
    ...{ unknown: none(), quarantined: none(), expired: none(), stopped: false },
  };
  const sweep: Sweep = { ...sweeping, now, mode, signal, report };
  report.deleted.count =
    mode === 'dry-run' ? await countDeletedBlobs(sweep.database) : await removeDeleted(sweep);
  await restoreNamed(sweep);
  await quarantineUnknown(sweep);
  if (!report.stopped) await removeExpired(sweep);
  return report;
}

/**
 * Removes the blobs whose rows this database deleted: a part of every sweep, quick enough to run more often.
 *
 * @returns how many there were
 * @throws BlobBindingError as `sweepBlobs` does
 */
export async function removeDeletedBlobs(sweeping: Omit<Sweeping, 'quarantineDays'>): Promise<number> {
  await assertBound(sweeping);
  return removeDeleted(sweeping);
}

async function removeDeleted({
  blobs,
  database,
  logger,
  signal,
}: Omit<Sweeping, 'quarantineDays'> & Pick<Sweep, 'signal'>): Promise<number> {
  let count = 0;
  let failure: unknown;
  for (let after = ''; ; ) {
    signal?.throwIfAborted();
    const batch = await deletedBlobs(database, { after, limit: batchSize });
    if (batch.length === 0) break;
    after = batch.at(-1) as string;
    const statuses = await blobStatuses(database, batch);
    // What a row names again, as after a partial restore, stays.
    const nobodys = batch.filter((blobKey) => statuses.get(blobKey) === 'deleted');
    const removed = await remove(blobs, nobodys);
    failure ??= removed.failure;
    if (removed.done.length > 0) logger.info({ blobKeys: removed.done }, 'blobs of deleted files removed');
    const done = new Set(removed.done);
    const settled = batch.filter((blobKey) => done.has(blobKey) || statuses.get(blobKey) !== 'deleted');
    await forgetDeletedBlobs(database, settled);
    count += removed.done.length;
  }
  if (failure) throw failure;
  return count;
}

/** One that cannot be removed does not keep the others. */
async function remove(blobs: BlobStore, blobKeys: string[]): Promise<BatchResult> {
  const removed: BatchResult = { done: [] };
  for (const blobKey of blobKeys) {
    try {
      await blobs.delete(blobKey);
      removed.done.push(blobKey);
    } catch (error) {
      removed.failure ??= error;
    }
  }
  const { failure } = await blobs.quarantine.remove(removed.done);
  // Which of them are left is not known: all are removed again, which does no harm.
  return failure ? { done: [], failure } : removed;
}

async function restoreNamed(sweep: Sweep): Promise<void> {
  for await (const { batch, statuses } of lookedUp(sweep, sweep.blobs.quarantine.list())) {
    const named = batch.filter(({ blobKey }) => statuses.get(blobKey) === 'named');
    const restored = await change(sweep, named, (keys) => sweep.blobs.quarantine.restore(keys), {
      tally: sweep.report.restored,
      message: 'blobs restored from quarantine',
    });
    if (restored.failure) throw restored.failure;
  }
}

async function quarantineUnknown(sweep: Sweep): Promise<void> {
  const { blobs, now, mode, report } = sweep;
  const youngest = now.getTime() - youngMilliseconds;
  let candidates: Stored[] = [];
  for await (const { batch, statuses } of lookedUp(sweep, blobs.list())) {
    add(report.stored, batch);
    const unknown = batch.filter(
      ({ blobKey, modifiedAt }) => modifiedAt.getTime() < youngest && !statuses.has(blobKey),
    );
    add(report.unknown, unknown);
    if (mode === 'confirmed') await quarantine(sweep, unknown);
    // Beyond the limit none of them is needed any more.
    else if (candidates.length <= mostUnknown) candidates = candidates.concat(unknown);
  }
  if (mode === 'confirmed') return;
  report.stopped = exceedsLimit(report);
  if (!report.stopped) await quarantine(sweep, candidates);
  else if (mode === 'limited') {
    const { unknown, stored } = report;
    const message = `Blob sweep stopped: this database does not know ${unknown.count} of ${stored.count} files. Is it an older one that was restored? See "wrp blobs sweep --dry-run"; "wrp blobs sweep --confirm" quarantines them.`;
    sweep.logger.error({ unknown, stored }, message);
  }
}

function exceedsLimit({ unknown, stored }: SweepReport): boolean {
  if (unknown.count <= alwaysAllowed) return false;
  return unknown.count > mostUnknown || unknown.count > stored.count * mostUnknownShare;
}

/** Looks again whether they are unknown: to list a large store takes minutes. */
async function quarantine(sweep: Sweep, candidates: Stored[]): Promise<void> {
  for await (const { batch, statuses } of lookedUp(sweep, candidates)) {
    const unknown = batch.filter(({ blobKey }) => !statuses.has(blobKey));
    const moved = await change(sweep, unknown, (keys) => sweep.blobs.quarantine.add(keys, sweep.now), {
      tally: sweep.report.quarantined,
      message: 'blobs quarantined: this database does not know them',
    });
    if (moved.failure) throw moved.failure;
  }
}

async function removeExpired(sweep: Sweep): Promise<void> {
  const { blobs, now, quarantineDays } = sweep;
  const before = now.getTime() - quarantineDays * dayMilliseconds;
  for await (const { batch, statuses } of lookedUp(sweep, blobs.quarantine.list())) {
    const expired = batch.filter(
      ({ blobKey, since }) => since.getTime() <= before && statuses.get(blobKey) !== 'named',
    );
    const removed = await change(sweep, expired, (keys) => blobs.quarantine.remove(keys), {
      tally: sweep.report.expired,
      message: 'blobs removed from quarantine',
    });
    if (removed.failure) throw removed.failure;
  }
}

interface Stored {
  blobKey: string;
  size: number;
}

/** Changes a batch, counts and logs what was changed, even where the rest of it failed. */
async function change(
  { mode, logger }: Sweep,
  batch: Stored[],
  work: (blobKeys: string[]) => Promise<BatchResult>,
  { tally, message }: { tally: Tally; message: string },
): Promise<BatchResult> {
  if (batch.length === 0) return { done: [] };
  const blobKeys = batch.map(({ blobKey }) => blobKey);
  const result = mode === 'dry-run' ? { done: blobKeys } : await work(blobKeys);
  const done = new Set(result.done);
  const changed = batch.filter(({ blobKey }) => done.has(blobKey));
  add(tally, changed);
  if (mode !== 'dry-run' && changed.length > 0) {
    const bytes = changed.reduce((sum, { size }) => sum + size, 0);
    logger.info({ blobKeys: result.done, bytes }, message);
  }
  return result;
}

/** Blobs in batches, each with what the database knows of it. */
async function* lookedUp<Blob extends Stored>(
  { database, signal }: Sweep,
  all: AsyncIterable<Blob> | Blob[],
): AsyncIterable<{ batch: Blob[]; statuses: Map<string, BlobStatus> }> {
  const lookUp = async (batch: Blob[]) => {
    signal?.throwIfAborted();
    const keys = batch.map(({ blobKey }) => blobKey);
    return { batch, statuses: await blobStatuses(database, keys) };
  };
  let batch: Blob[] = [];
  for await (const blob of all) {
    batch.push(blob);
    if (batch.length < batchSize) continue;
    yield await lookUp(batch);
    batch = [];
  }
  if (batch.length > 0) yield await lookUp(batch);
}

function add(tally: Tally, blobs: Stored[]): void {
  tally.count += blobs.length;
  for (const { size } of blobs) tally.bytes += size;
}
