import type { Logger } from 'pino';
import type { BatchResult, BlobStore, ListedBlob } from '../../blobs/index.ts';
import {
  type BlobStatus,
  blobStatuses,
  countDeletedBlobs,
  deletedBlobs,
  removeDeletedBlobEntries,
} from '../store/blobs.ts';
import type { Database } from '../store/database.ts';
import { batchesOf, keysOf, type SizedBlob } from './batches.ts';
import { assertBound } from './binding.ts';

/** Blobs per query and per log line. */
const batchSize = 500;
/** Blobs without a row are left alone for this long: the row is written seconds after the bytes. */
export const graceMilliseconds = 3_600_000;
const dayMilliseconds = 86_400_000;

/** A sweep that would quarantine more stops: it is more likely that the database is the wrong one. */
const maxUnknown = 1_000;
const maxUnknownShare = 0.05;
/** The share is not checked up to this number. */
const minUnknown = 20;

interface SweepOptions {
  blobs: BlobStore;
  database: Database;
  /** The number of whole days that a blob stays in quarantine. */
  quarantineDays: number;
  /** Receives a line for each batch of blobs that is removed, quarantined or restored. */
  logger: Logger;
}

/**
 * `limited`: stops before it quarantines more than a crash could leave. `confirmed`: quarantines all unknown blobs.
 * `dry-run`: changes nothing.
 */
export type SweepMode = 'limited' | 'confirmed' | 'dry-run';

interface Tally {
  count: number;
  bytes: number;
}

/** What a sweep did, or would do in a dry run. */
export interface SweepReport {
  /** Blobs outside quarantine, after some were restored and before any was quarantined. */
  stored: Tally;
  /** Removed because this database deleted their rows. */
  deleted: { count: number };
  /** Restored from quarantine because a row refers to them. */
  restored: Tally;
  /** Not known to this database, but under an hour old: left alone, as their rows may still be written. */
  young: Tally;
  /** Not known to this database, neither in use nor deleted. */
  unknown: Tally;
  /** The unknown blobs that were quarantined. */
  quarantined: Tally;
  /** Removed because their time in quarantine is over. */
  expired: Tally;
  /** There were too many unknown blobs: none was quarantined, and none was removed from quarantine. */
  stopped: boolean;
}

interface Sweep extends SweepOptions {
  now: Date;
  mode: SweepMode;
  signal?: AbortSignal | undefined;
  report: SweepReport;
}

/**
 * Removes the blobs whose rows this database deleted, and quarantines those that it does not know: blobs whose row was
 * not committed because of a crash, or the files of a newer database after an older one was restored. Restores blobs
 * from quarantine if a row refers to them again, and removes the others when their time is over.
 *
 * Keeps a bounded number of keys in memory. Safe to run concurrently with other sweeps, uploads and deletions. After a
 * failure, the next sweep continues.
 *
 * @throws BlobBindingError if store and database are not bound to each other; nothing is changed then
 */
export async function sweepBlobs({
  now,
  mode = 'limited',
  signal,
  ...options
}: SweepOptions & { now: Date; mode?: SweepMode; signal?: AbortSignal | undefined }): Promise<SweepReport> {
  await assertBound(options);
  const zero = () => ({ count: 0, bytes: 0 });
  const report: SweepReport = {
    stored: zero(),
    deleted: { count: 0 },
    restored: zero(),
    young: zero(),
    unknown: zero(),
    quarantined: zero(),
    expired: zero(),
    stopped: false,
  };
  const sweep: Sweep = { ...options, now, mode, signal, report };
  report.deleted.count =
    mode === 'dry-run' ? await countDeletedBlobs(sweep.database) : await removeDeleted(sweep);
  await restoreNamed(sweep);
  await quarantineUnknown(sweep);
  if (!report.stopped) await removeExpired(sweep);
  return report;
}

/**
 * Removes the blobs whose rows this database deleted. Part of every sweep, and fast enough to run more often.
 *
 * @returns the number of removed blobs
 * @throws BlobBindingError like `sweepBlobs`
 */
export async function removeDeletedBlobs(options: Omit<SweepOptions, 'quarantineDays'>): Promise<number> {
  await assertBound(options);
  return removeDeleted(options);
}

async function removeDeleted({
  blobs,
  database,
  logger,
  signal,
}: Omit<SweepOptions, 'quarantineDays'> & Pick<Sweep, 'signal'>): Promise<number> {
  let count = 0;
  let failure: unknown;
  for (let after = ''; ; ) {
    signal?.throwIfAborted();
    const batch = await deletedBlobs(database, { after, limit: batchSize });
    if (batch.length === 0) break;
    after = batch.at(-1) as string;
    const statuses = await blobStatuses(database, batch);
    // A row may refer to a blob again, for example after a partial restore.
    const removed = await remove(
      blobs,
      batch.filter((blobKey) => statuses.get(blobKey) === 'deleted'),
    );
    failure ??= removed.failure;
    if (removed.done.length > 0) logger.info({ blobKeys: removed.done }, 'blobs of deleted files removed');
    const done = new Set(removed.done);
    const processed = batch.filter((blobKey) => done.has(blobKey) || statuses.get(blobKey) !== 'deleted');
    await removeDeletedBlobEntries(database, processed);
    count += removed.done.length;
  }
  if (failure) throw failure;
  return count;
}

/** Continues with the other blobs if one cannot be removed. */
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
  // It is not known which are left, so all are removed again next time.
  return failure ? { done: [], failure } : removed;
}

async function restoreNamed(sweep: Sweep): Promise<void> {
  for await (const { batch, statuses } of withStatuses(sweep, sweep.blobs.quarantine.list())) {
    const named = batch.filter(({ blobKey }) => statuses.get(blobKey) === 'named');
    await change(sweep, named, {
      run: (blobKeys) => sweep.blobs.quarantine.restore(blobKeys),
      tally: sweep.report.restored,
      message: 'blobs restored from quarantine',
    });
  }
}

async function quarantineUnknown(sweep: Sweep): Promise<void> {
  const { blobs, now, mode, report } = sweep;
  const before = now.getTime() - graceMilliseconds;
  let candidates: SizedBlob[] = [];
  for await (const { batch, statuses } of withStatuses(sweep, blobs.list())) {
    add(report.stored, batch);
    const rowless = batch.filter(({ blobKey }) => !statuses.has(blobKey));
    const isYoung = ({ modifiedAt }: ListedBlob) => modifiedAt.getTime() >= before;
    const unknown = rowless.filter((blob) => !isYoung(blob));
    add(report.young, rowless.filter(isYoung));
    add(report.unknown, unknown);
    if (mode === 'confirmed') await quarantine(sweep, unknown);
    // Beyond the limit the sweep stops, so the candidates are not needed.
    else if (candidates.length <= maxUnknown) candidates = candidates.concat(unknown);
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
  if (unknown.count <= minUnknown) return false;
  return unknown.count > maxUnknown || unknown.count > stored.count * maxUnknownShare;
}

/** Checks the status again: listing a large store takes minutes. */
async function quarantine(sweep: Sweep, candidates: SizedBlob[]): Promise<void> {
  for await (const { batch, statuses } of withStatuses(sweep, candidates)) {
    const unknown = batch.filter(({ blobKey }) => !statuses.has(blobKey));
    await change(sweep, unknown, {
      run: (blobKeys) => sweep.blobs.quarantine.add(blobKeys, sweep.now),
      tally: sweep.report.quarantined,
      message: 'blobs quarantined: this database does not know them',
    });
  }
}

async function removeExpired(sweep: Sweep): Promise<void> {
  const { blobs, now, quarantineDays } = sweep;
  const before = now.getTime() - quarantineDays * dayMilliseconds;
  for await (const { batch, statuses } of withStatuses(sweep, blobs.quarantine.list())) {
    const expired = batch.filter(
      ({ blobKey, since }) => since.getTime() <= before && statuses.get(blobKey) !== 'named',
    );
    await change(sweep, expired, {
      run: (blobKeys) => blobs.quarantine.remove(blobKeys),
      tally: sweep.report.expired,
      message: 'blobs removed from quarantine',
    });
  }
}

interface Change {
  run(blobKeys: string[]): Promise<BatchResult>;
  tally: Tally;
  message: string;
}

/** Changes a batch unless this is a dry run. Counts and logs the changed blobs even if the change fails midway. */
async function change(
  { mode, logger }: Sweep,
  batch: SizedBlob[],
  { run, tally, message }: Change,
): Promise<void> {
  if (batch.length === 0) return;
  const blobKeys = keysOf(batch);
  const result: BatchResult = mode === 'dry-run' ? { done: blobKeys } : await run(blobKeys);
  const done = new Set(result.done);
  const changed = batch.filter(({ blobKey }) => done.has(blobKey));
  add(tally, changed);
  if (mode !== 'dry-run' && changed.length > 0) {
    const bytes = changed.reduce((sum, { size }) => sum + size, 0);
    logger.info({ blobKeys: result.done, bytes }, message);
  }
  if (result.failure) throw result.failure;
}

/** Batches of blobs with their statuses in the database. Blobs that it does not know have none. */
async function* withStatuses<Blob extends SizedBlob>(
  { database, signal }: Sweep,
  blobs: AsyncIterable<Blob> | Blob[],
): AsyncIterable<{ batch: Blob[]; statuses: Map<string, BlobStatus> }> {
  for await (const batch of batchesOf(blobs, batchSize)) {
    signal?.throwIfAborted();
    yield { batch, statuses: await blobStatuses(database, keysOf(batch)) };
  }
}

function add(tally: Tally, blobs: SizedBlob[]): void {
  tally.count += blobs.length;
  for (const { size } of blobs) tally.bytes += size;
}
