import type { Logger } from 'pino';
import type { BlobStore } from '../../blobs/index.ts';
import type { Retention } from '../config.ts';
import { removeDeletedBlobs, type SweepReport, sweepBlobs } from '../files/sweep.ts';
import type { Workers } from '../jobs/jobs.ts';
import { deleteAuditEntries } from '../store/audit-list.ts';
import { deleteExpiredSignIns } from '../store/auth.ts';
import type { Database } from '../store/database.ts';
import { deleteExpiredResponses } from '../store/idempotency-keys.ts';
import { deleteExpiredLeases } from '../store/rate-leases.ts';
import { deleteExpiredResults } from '../store/results.ts';
import { deleteExecutions, deleteLinks, deleteParameterSets, deleteResources } from '../store/retention.ts';
import { retentionMilliseconds } from '../workflows/ending.ts';

const hour = 3_600_000;
const day = 24 * hour;

/**
 * Parts of the maintenance, which run independently: a failed one does not stop the others. A number that a part
 * returns is the number of rows that it removed.
 */
export type Maintenance = Record<string, (now: Date) => Promise<unknown>>;

/** The workers of the job types of the platform itself. */
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
  /** Called after each sweep; without a report if it failed. */
  onSweep?: ((report: SweepReport | undefined) => void) | undefined;
  /** Undefined: MFA resets are recorded locally only. */
  identityProviderUrl: string | undefined;
  retention: Retention;
  /** Maintenance of other components. */
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
    deleteAuditEntries: (at) => deleteAuditEntries(database, before(at, retention.audit)),
    removeDeletedBlobs: () => removeDeletedBlobs({ blobs, database, logger }),
    collectUnfinished: async (at) => {
      const count = await blobs.collectUnfinished(new Date(at.getTime() - 24 * hour));
      if (count > 0) logger.info({ count }, 'unfinished uploads removed');
    },
    ...maintenance,
  };
  return {
    async 'identity-provider-mfa-reset'({ idpId }, { id }) {
      if (identityProviderUrl) await reportMfaReset(identityProviderUrl, idpId, id);
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

/** @throws an error with the names of the failed parts, after all of them have run */
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

/** A retry has the same idempotency key. The queue retries any failure. */
async function reportMfaReset(baseUrl: string, idpId: string, jobId: string): Promise<void> {
  const url = new URL(`users/${idpId}/reset-mfa`, baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`);
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Idempotency-Key': jobId },
    redirect: 'error',
    signal: AbortSignal.timeout(20_000),
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`The identity provider responded with status ${response.status}.`);
}
