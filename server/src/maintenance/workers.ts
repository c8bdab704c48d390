import type { Logger } from 'pino';
import type { BlobStore } from '../blobs/blob-store.ts';
import { removeDeletedBlobs, type SweepReport, sweepBlobs } from '../blobs/sweep.ts';
import type { Retention } from '../config.ts';
import type { Workers } from '../jobs/jobs.ts';
import { deleteExpiredSignIns } from '../store/auth.ts';
import type { Database } from '../store/database.ts';
import { deleteExpiredResponses } from '../store/idempotency-keys.ts';
import { deleteExpiredLeases } from '../store/rate-leases.ts';
import { deleteExpiredResults } from '../store/results.ts';
import { deleteExecutions, deleteLinks, deleteParameterSets, deleteResources } from '../store/retention.ts';
import { retentionMilliseconds } from '../workflows/results.ts';

const hour = 3_600_000;
const day = 24 * hour;

/**
 * Regular housekeeping: each part by itself, whatever becomes of the others. A part that returns a number has removed
 * so many.
 */
export type Maintenance = Record<string, (now: Date) => Promise<unknown>>;

/** What each kind of job does. */
export function workers({
  database,
  blobs,
  blobQuarantineDays: quarantineDays,
  onSweep,
  identityProviderUrl,
  retention,
  maintenance,
  logger,
  now,
}: {
  database: Database;
  blobs: BlobStore;
  blobQuarantineDays: number;
  /** Called after each sweep; without a report when it failed. */
  onSweep?: ((report: SweepReport | undefined) => void) | undefined;
  /** Undefined: there is nobody to tell, the local record is all there is. */
  identityProviderUrl: string | undefined;
  retention: Retention;
  /** Of other parts of the platform. */
  maintenance: Maintenance;
  logger: Logger;
  now(): Date;
}): Workers {
  const before = (at: Date, days: number) => new Date(at.getTime() - days * day);
  const parts: Maintenance = {
    deleteExpiredResponses: (at) => deleteExpiredResponses(database, at),
    deleteExpiredSignIns: (at) => deleteExpiredSignIns(database, at),
    deleteExpiredLeases: (at) => deleteExpiredLeases(database, new Date(at.getTime() - hour)),
    deleteExpiredResults: (at) =>
      deleteExpiredResults(database, new Date(at.getTime() - retentionMilliseconds)),
    deleteLinks: (at) => deleteLinks(database, before(at, retention.links)),
    deleteExecutions: (at) =>
      deleteExecutions(database, before(at, retention.executions + retentionMilliseconds / day)),
    deleteParameterSets: (at) => deleteParameterSets(database, before(at, retention.parameterSets)),
    deleteResources: async (at) =>
      retention.resources && deleteResources(database, before(at, retention.resources)),
    removeDeletedBlobs: () => removeDeletedBlobs({ blobs, database, logger }),
    collectUnfinished: async (at) => {
      const count = await blobs.collectUnfinished(new Date(at.getTime() - 24 * hour));
      if (count > 0) logger.info({ count }, 'unfinished uploads removed');
    },
    ...maintenance,
  };
  return {
    async 'identity-provider-mfa-reset'({ idpId }, { id }) {
      if (identityProviderUrl) await tellMfaReset(identityProviderUrl, idpId, id);
    },
    async maintenance() {
      await maintain(parts, now(), logger);
    },
    async 'blob-sweep'(_data, { signal }) {
      let report: SweepReport | undefined;
      try {
        report = await sweepBlobs({ blobs, database, quarantineDays, logger, signal, now: now() });
      } finally {
        onSweep?.(report);
      }
    },
  };
}

/** @throws an error that names the parts that failed, once all have had their turn */
async function maintain(parts: Maintenance, at: Date, logger: Logger): Promise<void> {
  const failed: string[] = [];
  for (const [part, run] of Object.entries(parts)) {
    try {
      const removed = await run(at);
      if (typeof removed === 'number' && removed > 0) logger.info({ part, removed }, 'maintenance');
    } catch (error) {
      failed.push(part);
      logger.error({ err: error, part }, 'maintenance');
    }
  }
  if (failed.length > 0) throw new Error(`Maintenance failed: ${failed.join(', ')}.`);
}

/** A repeat carries the same key, so that the provider can drop it. Any failure is retried by the queue. */
async function tellMfaReset(baseUrl: string, idpId: string, jobId: string): Promise<void> {
  const url = new URL(`users/${idpId}/reset-mfa`, baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`);
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Idempotency-Key': jobId },
    redirect: 'error',
    signal: AbortSignal.timeout(20_000),
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`The identity provider answered ${response.status}.`);
}
